/** What interfaces write beside name and arguments, and what is never meant as a parameter: a closed list. */
export const harmlessKeys: readonly string[] = ["type", "id", "call_id", "index"];

/** What interfaces write as the `type` of a call. */
export const typeOfCalls = "function";

/**
 * And what they may write, or models for it: another word says that it is none, but a result, a definition or an example. The
 * repetition has one way to go through a word: each part of it begins otherwise.
 */
export const typesOfCalls =
  /^(?:object|(?:(?:custom|server|client|local|mcp|tool|function|action|call|use|invocation|request)s?[-_ ]?)*)$/i;

/** Harmless only next to arguments: without them the object describes a tool. */
export const harmlessBesideArguments = "description";
