import type { Clock } from '@harvestman/ports'
import { makePrivateFolder } from '@harvestman/toolbox/private-files'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { blobTooLarge } from './refusals.ts'
import { sweep } from './sweep.ts'

/** Removes expired files from a folder, and keeps it within its maximum size. */
export interface Order {
  /** Creates and sweeps the folder once, or again if that failed. */
  begin(): Promise<void>
  /** Throws if a lasting file of this size does not fit next to the other lasting files. */
  reserve(bytes: number): void
  /** Must be called after this many bytes were added. */
  grew(bytes: number): Promise<void>
  end(): Promise<void>
}

const sweepEvery = 600_000

/**
 * Creates the order of a folder of files: keeps them within `most` bytes, and removes expired files every 10 minutes. `begin`
 * creates the folder; it and `grew` reject with the error of the file system. `reserve` throws `store_failed` if lasting files
 * do not fit.
 */
export function keepOrder(folder: string, clock: Clock, most: number): Order {
  let beginning: Promise<void> | undefined
  const sweeps = makeSequence()
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  // Sizes at the last sweep, plus files added since.
  let [size, lasting] = [0, 0]

  const clean = (): Promise<void> =>
    sweeps.run(async () => {
      ;({ size, lasting } = await sweep(folder, clock.now(), most))
    })
  const begin = async (): Promise<void> => {
    makePrivateFolder(folder)
    await clean()
    if (hasEnded) return
    // The timer does not keep the process alive.
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
