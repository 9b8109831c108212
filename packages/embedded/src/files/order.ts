import { mkdir } from 'node:fs/promises'

import type { Clock } from '@harvestman/ports'
import { makeSequence } from '@harvestman/ports/adapters'
import { blobTooLarge } from './refusals.ts'
import { sweep } from './sweep.ts'

/** Keeps a folder free of what has had its time, and within its size. */
export interface Order {
  /** Makes the folder and sweeps it, once; again when that failed. */
  begin(): Promise<void>
  /** Refuses what is to last when it does not fit beside all else that is to last. */
  reserve(bytes: number): void
  /** So many bytes have been added. */
  grew(bytes: number): Promise<void>
  end(): Promise<void>
}

const sweepEvery = 600_000

export function keepOrder(folder: string, clock: Clock, most: number): Order {
  let beginning: Promise<void> | undefined
  const sweeps = makeSequence()
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  // What was there at the last sweep, and what was added since.
  let [size, lasting] = [0, 0]

  const clean = (): Promise<void> =>
    sweeps.run(async () => {
      ;({ size, lasting } = await sweep(folder, clock.now(), most))
    })
  const begin = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await clean()
    if (hasEnded) return
    // A process that has nothing else to do may end.
    timer = setInterval(() => void clean().catch(() => undefined), sweepEvery).unref()
  }
  return {
    begin: () => {
      beginning ??= begin().catch((error: unknown) => {
        beginning = undefined
        throw error
      })
      return beginning
    },
    reserve: (bytes) => {
      if (lasting + bytes > most) throw blobTooLarge(lasting + bytes, most)
      lasting += bytes
    },
    grew: async (bytes) => {
      size += bytes
      if (size > most) await clean()
    },
    end: async () => {
      hasEnded = true
      clearInterval(timer)
      await sweeps.idle()
    },
  }
}
