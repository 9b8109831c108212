import type { Json } from './value.ts'

/** Answers questions about text. */
export interface LLM {
  /** Name of the model. */
  readonly name?: string
  /** Tokens that a question and its answer may have together. Longer texts are asked about in parts. 16,000 when absent. */
  readonly contextTokens?: number
  /**
   * Answers a question. With a schema, an answer without calls must fit it, or the call must reject. Must give no call
   * of a tool that was not offered. Must reject with the signal's reason as soon as it is aborted, and must end by
   * itself when the signal never is.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer>
}

/** Question to a model. */
export interface Question {
  /** Instructions on how to answer. They hold nothing that a page said. */
  readonly system?: string
  /** First message. */
  readonly prompt: string
  /** Later messages, the oldest first: calls of tools, their results, further words. */
  readonly turns?: readonly Turn[]
  /** Tools that the model may call instead of answering. */
  readonly tools?: readonly Tool[]
  /** JSON Schema of the answer. */
  readonly schema?: JsonSchema
  /** Temperature from 0, the same answer each time as far as the model can, to 2. Default: 0. */
  readonly temperature?: number
  /** The longest answer. */
  readonly maxOutputTokens?: number
}

/** A turn of a conversation with a model. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly result: string }

/** A tool that a model may call. */
export interface Tool {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string
  readonly description: string
  /** JSON Schema of its input: that of an object. */
  readonly input: JsonSchema
}

/** A call of a tool, by a model. */
export interface ToolCall {
  /** Tells calls of one answer apart. */
  readonly id: string
  readonly name: string
  /** Fits the schema of the tool. */
  readonly input: { readonly [key: string]: Json | undefined }
}

/** Answer of a model. */
export interface Answer {
  /** Value that fits the schema, when there is one; else a text. Beside calls, what the model says about them. */
  readonly value: Json
  /** Empty when the model answered. */
  readonly calls: readonly ToolCall[]
  /** Usage of all that was sent for this answer, also when it had to be asked for again. */
  readonly usage: Usage
}

/** Tokens as the model counts them, or an estimate when it does not tell. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A JSON Schema. References lead to places inside of it. */
export type JsonSchema = { readonly [key: string]: Json | undefined }
