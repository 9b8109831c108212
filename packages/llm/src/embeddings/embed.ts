// Splits strings into requests, and checks and normalizes the vectors of any embedding model.
import type { Embedded, EmbeddingPurpose, Embeddings } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'
import { estimateTokens } from '@harvestman/toolbox/tokens'

import { withDeadline } from '../deadline.ts'
import { embeddingModel, modelFailed, modelNotConfigured } from '../faults.ts'

/** Options of every embedding model. */
export interface EmbeddingOptions {
  /** Maximum tokens of one string. A longer one is rejected. Default: 8,000. */
  readonly contextTokens?: number | undefined
  /** Maximum number of strings in a request. Default: 32. */
  readonly batch?: number | undefined
  /** Maximum tokens of all strings in a request. Default: 16,000. */
  readonly batchTokens?: number | undefined
  /** Maximum number of concurrent requests. Default: 4. */
  readonly concurrency?: number | undefined
  /** Timeout of one call with all its requests and retries, in milliseconds. Default: 120,000. */
  readonly timeout?: number | undefined
  /** Strings to put before queries and documents, for models that need them, such as `query: ` and `passage: `. */
  readonly prefixes?: Readonly<Record<EmbeddingPurpose, string>> | undefined
}

/** Sends one request. The vectors are not validated yet. */
export type SendBatch = (
  values: readonly string[],
  purpose: EmbeddingPurpose,
  signal: AbortSignal,
) => Promise<RawVectors>

/** Vectors as a model returned them. */
export interface RawVectors {
  readonly vectors: unknown
  /** Tokens of the request. Estimated if it is not a whole number. */
  readonly tokens?: unknown
}

const maxValues = 10_000
const maxDimensions = 8_192

/** Returns the defaults for absent options. Throws `not_configured` for a number below 1. */
export function checkEmbeddingOptions(options: EmbeddingOptions) {
  const { contextTokens = 8_000, batch = 32, batchTokens = 16_000, concurrency = 4, timeout = 120_000 } = options
  for (const [name, value] of Object.entries({ contextTokens, batch, batchTokens, concurrency, timeout }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw modelNotConfigured(
        embeddingModel,
        `${name} of an embedding model is ${value}. Use an integer of at least 1.`,
      )
  return { contextTokens, batch, batchTokens, concurrency, timeout, prefixes: options.prefixes }
}

/**
 * Creates an embeddings port from a function that sends one request. Its `embed` rejects with `model_failed` for more than
 * 10,000 strings, a string that is too long, or vectors that are not usable; with `model_unavailable` after the timeout, the reason
 * of the signal, and with the errors of the function, unchanged.
 */
export function embeddingsOf(name: string, send: SendBatch, given: EmbeddingOptions): Embeddings {
  const options = checkEmbeddingOptions(given)
  const { timeout: ms, concurrency, contextTokens, prefixes } = options
  // Set by the first vector. A model that changes it later would make stored vectors useless.
  let dimensions: number | undefined
  const read = (vectors: unknown, count: number): readonly Float32Array[] => {
    if (!Array.isArray(vectors) || vectors.length !== count)
      throw badVectors(`${name} did not return one vector for each of ${count} strings.`)
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
    embed: (values, purpose, signal) =>
      withDeadline({ signal, ms, kind: embeddingModel }, async (both): Promise<Embedded> => {
        if (values.length > maxValues)
          throw modelFailed('too_large', `${values.length} strings are too many. Embed at most ${maxValues} at a time.`)
        // Endpoints reject empty strings.
        const prefixed = values.map((value) => `${prefixes?.[purpose] ?? ''}${value}` || ' ')
        const batches = batchesOf(prefixed, options)
        const found = await mapAtMost(batches, concurrency, async (batch) => {
          both.throwIfAborted()
          const { vectors, tokens } = await send(batch.values, purpose, both)
          return { vectors: read(vectors, batch.values.length), tokens: isCount(tokens) ? tokens : batch.tokens }
        })
        return {
          vectors: found.flatMap(({ vectors }) => vectors),
          usage: { inputTokens: found.reduce((sum, { tokens }) => sum + tokens, 0), outputTokens: 0 },
        }
      }),
  }

  function batchesOf(values: readonly string[], { batch, batchTokens }: typeof options): readonly Batch[] {
    const batches: { values: string[]; tokens: number }[] = []
    for (const [index, value] of values.entries()) {
      const tokens = estimateTokens(value)
      if (tokens > contextTokens)
        throw modelFailed(
          'too_long',
          `String ${index + 1} has about ${tokens} tokens, and ${name} takes ${contextTokens}. Embed smaller chunks.`,
        )
      const last = batches.at(-1)
      if (last && last.values.length < batch && last.tokens + tokens <= batchTokens) {
        last.values.push(value)
        last.tokens += tokens
      } else batches.push({ values: [value], tokens })
    }
    return batches
  }
}

interface Batch {
  readonly values: readonly string[]
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

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function badVectors(message: string): Error {
  return modelFailed('bad_answer', message)
}
