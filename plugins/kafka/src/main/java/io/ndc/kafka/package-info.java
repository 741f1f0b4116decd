/**
 * One index of near-duplicates for many crawlers, on Kafka Streams: {@link io.ndc.kafka.NdCluster} asks it, {@link
 * io.ndc.kafka.NdClusterNode} runs a part of it. The steps between know nothing of Kafka; docs/cluster.md has them.
 */
package io.ndc.kafka;
