// Embeds the chunks of the index in the background.
import { EngineError, type Embeddings, type Usage } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeSequence } from '@harvestman/toolbox/sequence'

import type { IndexBackend } from './backend.ts'
import type { PendingChunk } from './vectors.ts'

export interface Embedder {
  /** Embeds the chunks of a team that have no vector, soon. */
  wake(team: string): void
  /** Resolves when all chunks of a team have a vector, or the model has failed. */
  settled(team: string): Promise<void>
  close(): Promise<void>
}

export interface EmbedderOptions {
  readonly embeddings: Embeddings
  readonly backend: Pick<IndexBackend, 'pending' | 'store'>
  /** Called before chunks are embedded. Rejects if the team cannot pay. */
  reserve(team: string): Promise<Payment>
  warn(message: string): void
}

/** A reservation of the credits of a team. */
export interface Payment {
  settle(usage: Usage): Promise<void>
  release(): Promise<void>
}

const batch = 64
/** Maximum number of rejected chunks per team that are not embedded again. */
const maxRejected = 1_000
/** In milliseconds. */
const delays = { gathering: 500, afterFailure: 60_000 }

/**
 * Creates an embedder. Teams take turns, with one batch each. Chunks that the model rejects are not tried again in this process.
 * After any other failure, it does not embed chunks of the team for a minute. The chunks are then found by their words only.
 */
export function makeEmbedder(options: EmbedderOptions): Embedder {
  const { warn } = options
  const stop = new AbortController()
  const sequence = makeSequence()
  const pausedUntil = recentlyUsed<string, number>(1_000)
  const rejected = recentlyUsed<string, Set<string>>(1_000)
  const waiting = new Set<string>()
  const running = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const turn = async (team: string, done: Set<string>): Promise<boolean> => {
    if (stop.signal.aborted || (pausedUntil.get(team) ?? 0) > performance.now()) return false
    const aside = rejected.get(team) ?? new Set()
    rejected.set(team, aside)
    try {
      return await embedBatch(team, { done, aside }, options, stop.signal)
    } catch (error) {
      if (stop.signal.aborted) return false
      pausedUntil.set(team, performance.now() + delays.afterFailure)
      warn(`Chunks of pages could not be embedded, and are found by their words only. ${errorMessage(error)}`)
      return false
    }
  }
  const embedAll = async (team: string): Promise<void> => {
    const done = new Set<string>()
    while (await sequence.run(() => turn(team, done)));
  }
  const embedOnce = async (team: string): Promise<void> => {
    if (running.has(team)) return
    running.add(team)
    await embedAll(team)
    running.delete(team)
  }
  const run = (): void => {
    timer = undefined
    for (const team of waiting) void embedOnce(team)
    waiting.clear()
  }
  return {
    wake: (team) => {
      waiting.add(team)
      timer ??= setTimeout(run, delays.gathering).unref()
    },
    settled: embedAll,
    close: async () => {
      clearTimeout(timer)
      stop.abort()
      await sequence.idle()
    },
  }
}

/** Hashes of chunks that are not embedded again. */
interface Tried {
  /** Chunks that were embedded before. */
  readonly done: Set<string>
  /** Chunks that the model rejected. */
  readonly aside: Set<string>
}

/** Embeds one batch. Returns whether there may be more. */
async function embedBatch(
  team: string,
  { done, aside }: Tried,
  { embeddings, backend, reserve, warn }: EmbedderOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { name: model } = embeddings
  const pending = await backend.pending({ team, model, limit: batch + aside.size }, signal)
  // Another process with another model on the same folder would undo the work.
  const chunks = pending.filter(({ hash }) => !done.has(hash) && !aside.has(hash)).slice(0, batch)
  if (chunks.length === 0) return false
  const payment = await reserve(team)
  const total = { inputTokens: 0, outputTokens: 0 }
  let embedded = 0
  const embed = async (part: readonly PendingChunk[]): Promise<void> => {
    const texts = part.map(({ text }) => text)
    const { vectors, usage } = await embeddings.embed(texts, 'document', signal)
    total.inputTokens += usage.inputTokens
    total.outputTokens += usage.outputTokens
    embedded += part.length
    const stored = part.flatMap(({ hash }, index) => {
      const vector = vectors[index]
      return vector ? [{ hash, vector }] : []
    })
    await backend.store({ team, model, vectors: stored })
  }
  try {
    const refused = await embedParts(chunks, embed)
    const [first] = refused
    // A model that rejects all chunks is probably not configured well.
    if (first && embedded === 0 && chunks.length > 1) throw first.error
    if (first) warn(`${refused.length} chunks of pages are found by their words only. ${errorMessage(first.error)}`)
    for (const { chunk } of refused) if (aside.size < maxRejected) aside.add(chunk.hash)
  } finally {
    await (embedded > 0 ? payment.settle(total) : payment.release())
  }
  for (const { hash } of chunks) done.add(hash)
  return true
}

interface Refused {
  readonly chunk: PendingChunk
  readonly error: unknown
}

/** Embeds chunks, in smaller parts if the model rejects them. Returns the chunks that it rejects alone. */
async function embedParts(
  chunks: readonly PendingChunk[],
  embed: (part: readonly PendingChunk[]) => Promise<void>,
): Promise<readonly Refused[]> {
  try {
    await embed(chunks)
    return []
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'model_failed') throw error
    const [chunk] = chunks
    if (chunk && chunks.length === 1) return [{ chunk, error }]
    const half = Math.ceil(chunks.length / 2)
    return [...(await embedParts(chunks.slice(0, half), embed)), ...(await embedParts(chunks.slice(half), embed))]
  }
}
