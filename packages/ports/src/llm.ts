import type { Json } from './value.ts'

/** A language model that answers questions about text. */
export interface LLM {
  /** Name of the model. */
  readonly name?: string
  /** Maximum number of tokens of a question and its answer together. Longer input is processed in parts. Default: 16,000. */
  readonly contextTokens?: number
  /**
   * Answers a question. With a schema, answers without tool calls must fit it, or the call must reject. Must not call a tool
   * that was not offered. Must reject with the signal's reason as soon as it is aborted, and must end by itself otherwise.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer>
}

/** A question to a model. */
export interface Question {
  /** Instructions on how to answer. They contain nothing from a page. */
  readonly system?: string
  /** First message. */
  readonly prompt: string
  /** Later messages, oldest first: tool calls, their results, further text. */
  readonly turns?: readonly Turn[]
  /** Tools that the model may call instead of answering. */
  readonly tools?: readonly Tool[]
  /** JSON Schema that the answer must fit. */
  readonly schema?: JsonSchema
  /** Temperature from 0 (as deterministic as the model can be) to 2. Default: 0. */
  readonly temperature?: number
  /** Maximum length of the answer, in tokens. */
  readonly maxOutputTokens?: number
}

/** A turn of a conversation with a model. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly result: string }

/** A tool that a model may call. */
export interface Tool {
  /** Letters, digits, `_` and `-`; at most 64 characters. */
  readonly name: string
  readonly description: string
  /** JSON Schema of its input, which must be an object. */
  readonly input: JsonSchema
}

/** A call of a tool, by a model. */
export interface ToolCall {
  /** Distinguishes the calls of one answer. */
  readonly id: string
  readonly name: string
  /** Fits the schema of the tool. */
  readonly input: { readonly [key: string]: Json | undefined }
}

/** The answer of a model. */
export interface Answer {
  /** A value that fits the schema if there is one; otherwise a string. With tool calls, the model's comment on them. */
  readonly value: Json
  /** Tool calls; empty if the model answered. */
  readonly calls: readonly ToolCall[]
  /** Usage of everything sent for this answer, including retries. */
  readonly usage: Usage
}

/** Tokens as counted by the model, or an estimate if it does not report them. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A JSON Schema. References must point into the schema itself. */
export type JsonSchema = { readonly [key: string]: Json | undefined }
