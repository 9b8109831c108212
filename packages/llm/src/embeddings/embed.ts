// Splits texts into requests, and checks and normalizes the vectors of any embedding model.
import type { Embedded, EmbeddingPurpose, Embeddings } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'
import { estimateTokens } from '@harvestman/toolbox/tokens'

import { withDeadline } from '../deadline.ts'
import { embeddingModel, modelFailed, modelNotConfigured } from '../faults.ts'

/** Options of every embedding model. */
export interface EmbeddingOptions {
  /** Maximum tokens of one text. A longer text is rejected. Default: 8,000. */
  readonly contextTokens?: number | undefined
  /** Maximum number of texts in a request. Default: 32. */
  readonly batch?: number | undefined
  /** Maximum tokens of all texts in a request. Default: 16,000. */
  readonly batchTokens?: number | undefined
  /** Maximum number of concurrent requests. Default: 4. */
  readonly concurrency?: number | undefined
  /** Timeout of one call with all its requests and retries, in milliseconds. Default: 120,000. */
  readonly timeout?: number | undefined
  /** Strings to put before queries and documents, for models that need them, such as `query: ` and `passage: `. */
  readonly prefixes?: Readonly<Record<EmbeddingPurpose, string>> | undefined
}

/** Sends one request. The vectors are not validated yet. */
export type SendTexts = (
  texts: readonly string[],
  purpose: EmbeddingPurpose,
  signal: AbortSignal,
) => Promise<RawVectors>

/** Vectors as a model returned them. */
export interface RawVectors {
  readonly vectors: unknown
  /** Absent if the model does not report it. */
  readonly tokens?: number | undefined
}

const maxTexts = 10_000
const maxDimensions = 8_192

/** Returns the defaults for absent options. Throws `not_configured` for a number below 1. */
export function checkEmbeddingOptions(options: EmbeddingOptions) {
  const { contextTokens = 8_000, batch = 32, batchTokens = 16_000, concurrency = 4, timeout = 120_000 } = options
  for (const [name, value] of Object.entries({ contextTokens, batch, batchTokens, concurrency, timeout }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw modelNotConfigured(`${name} of an embedding model is ${value}. Use an integer of at least 1.`)
  return { contextTokens, batch, batchTokens, concurrency, timeout, prefixes: options.prefixes }
}

/**
 * Creates an embeddings port from a function that sends one request. Its `embed` rejects with `model_failed` for more than
 * 10,000 texts, a text that is too long, or vectors that are not usable; with `model_unavailable` after the timeout, the reason
 * of the signal, and with the errors of the function, unchanged.
 */
export function embeddingsOf(name: string, send: SendTexts, given: EmbeddingOptions): Embeddings {
  const options = checkEmbeddingOptions(given)
  const { timeout: ms, concurrency, contextTokens, prefixes } = options
  // Set by the first vector. A model that changes it later would make stored vectors useless.
  let dimensions: number | undefined
  const read = (vectors: unknown, count: number): readonly Float32Array[] => {
    if (!Array.isArray(vectors) || vectors.length !== count)
      throw badVectors(`${name} did not return one vector for each of ${count} texts.`)
    return vectors.map((vector: unknown) => {
      const unit = unitVector(vector)
      if (!unit) throw badVectors(`${name} returned a vector that is not a list of 1 to ${maxDimensions} numbers.`)
      dimensions ??= unit.length
      if (unit.length !== dimensions)
        throw badVectors(`${name} returned a vector with ${unit.length} dimensions instead of ${dimensions}.`)
      return unit
    })
  }
  return {
    name,
    embed: (texts, purpose, signal) =>
      withDeadline({ signal, ms, subject: embeddingModel }, async (both): Promise<Embedded> => {
        if (texts.length > maxTexts)
          throw modelFailed('too_large', `${texts.length} texts are too many. Embed at most ${maxTexts} at a time.`)
        // Endpoints reject empty texts.
        const prefixed = texts.map((text) => `${prefixes?.[purpose] ?? ''}${text}` || ' ')
        const batches = batchesOf(prefixed, options)
        const found = await mapAtMost(batches, concurrency, async (batch) => {
          both.throwIfAborted()
          const { vectors, tokens } = await send(batch.texts, purpose, both)
          return { vectors: read(vectors, batch.texts.length), tokens: tokens ?? batch.tokens }
        })
        return {
          vectors: found.flatMap(({ vectors }) => vectors),
          usage: { inputTokens: found.reduce((sum, { tokens }) => sum + tokens, 0), outputTokens: 0 },
        }
      }),
  }

  function batchesOf(texts: readonly string[], { batch, batchTokens }: typeof options): readonly Batch[] {
    const batches: { texts: string[]; tokens: number }[] = []
    for (const [index, text] of texts.entries()) {
      const tokens = estimateTokens(text)
      if (tokens > contextTokens)
        throw modelFailed(
          'too_long',
          `Text ${index + 1} has about ${tokens} tokens, and ${name} takes ${contextTokens}. Embed smaller chunks.`,
        )
      const last = batches.at(-1)
      if (last && last.texts.length < batch && last.tokens + tokens <= batchTokens) {
        last.texts.push(text)
        last.tokens += tokens
      } else batches.push({ texts: [text], tokens })
    }
    return batches
  }
}

interface Batch {
  readonly texts: readonly string[]
  readonly tokens: number
}

/** Returns the vector with length 1, or `undefined` if it is not a list of finite numbers with a direction. */
function unitVector(vector: unknown): Float32Array | undefined {
  const isList = Array.isArray(vector) || vector instanceof Float32Array
  if (!isList || vector.length === 0 || vector.length > maxDimensions) return undefined
  let sum = 0
  for (const value of vector as Iterable<unknown>) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    sum += value * value
  }
  const length = Math.sqrt(sum)
  if (length === 0 || !Number.isFinite(length)) return undefined
  return Float32Array.from(vector as ArrayLike<number>, (value) => value / length)
}

function badVectors(message: string): Error {
  return modelFailed('bad_answer', message)
}
