module ndc.io/ndc

go 1.19
