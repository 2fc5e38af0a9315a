/**
 * The queue on this machine: ElasticMQ, with a store that outlives a kill, and the queues we need.
 */
@NullMarked
package dev.headstone.standalone.queue;

import org.jspecify.annotations.NullMarked;
