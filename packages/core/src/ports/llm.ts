import type { Json } from './value.ts'

/** Answers questions about text. */
export interface LLM {
  /** With a schema, the answer must fit it, or the call must reject. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>
}

export interface Question {
  readonly system?: string
  readonly prompt: string
  readonly schema?: { readonly [key: string]: Json | undefined }
}

export interface Answer {
  readonly value: Json
  readonly tokens: number
}
