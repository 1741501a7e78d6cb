/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The main example job: a few weeks of real flights, in event time, through every kind of keyed
 * state, on each state backend in turn.
 *
 * <p>Read it in the order in which a flight travels: {@link
 * io.strata.flink.examples.flights.FlightSource} replays the file, {@link
 * io.strata.flink.examples.flights.FlightJob} draws the dataflow, {@link
 * io.strata.flink.examples.flights.RouteDiary} and its neighbours keep the state, {@link
 * io.strata.flink.examples.flights.JobRun} runs the whole on one backend, and {@link
 * io.strata.flink.examples.flights.FlightsExample} compares what the backends produced.
 */
package io.strata.flink.examples.flights;
