module ndc.io/ndc/v2

go 1.19
