import type { Usage } from './llm.ts'

/** An embedding model. It converts strings to vectors that are similar if the strings have a similar meaning. */
export interface Embeddings {
  /** Name of the model. Vectors of models with different names are never compared. */
  readonly name: string
  /**
   * Returns one vector for each string, in the same order. All vectors of a model have the same number of dimensions and length 1.
   * A string must have the same vector whatever the others are. Without strings, it must not call the model. Must reject with
   * the signal's reason as soon as it is aborted, and must end by itself otherwise.
   */
  embed(values: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<Embedded>
}

/** The use of a string. Some models embed queries in another way than the documents that they search. */
export type EmbeddingPurpose = 'document' | 'query'

/** The vectors of strings. */
export interface Embedded {
  readonly vectors: readonly Float32Array[]
  /** Tokens of the strings, as counted by the model, or an estimate. `outputTokens` is 0. */
  readonly usage: Usage
}
