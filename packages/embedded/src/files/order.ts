import type { Clock } from '@harvestman/ports'
import { makePrivateFolder } from '@harvestman/toolbox/private-files'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { blobTooLarge } from './refusals.ts'
import { sweep } from './sweep.ts'

/** Removes expired files from a folder, and keeps it within its maximum size. */
export interface Order {
  /** Creates and sweeps the folder once, or again if that failed. */
  begin(): Promise<void>
  /**
   * Reserves space for a lasting file. Rejects if it does not fit next to the other lasting files. After the write, or its
   * failure, `settle` must be called.
   */
  reserve(bytes: number): Promise<void>
  /** Ends a reservation. */
  settle(bytes: number, isWritten: boolean): void
  /** Must be called after this many bytes were added. */
  grew(bytes: number): Promise<void>
  end(): Promise<void>
}

const sweepEvery = 600_000

/**
 * Creates the order of a folder of files: keeps them within `most` bytes, and removes expired files every 10 minutes. `begin`
 * creates the folder; it, `grew` and `reserve` reject with the error of the file system. `reserve` rejects with `store_failed`
 * if lasting files do not fit.
 */
export function keepOrder(folder: string, clock: Clock, most: number): Order {
  let beginning: Promise<void> | undefined
  const sweeps = makeSequence()
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  // Sizes at the last sweep, plus files added since.
  let [size, lasting] = [0, 0]
  // Size of the lasting files that are being written.
  let reserved = 0

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
    reserve: async (bytes) => {
      const after = (): number => lasting + reserved + bytes
      // A sweep also finds which files were replaced or have expired since the last one.
      if (after() > most) await clean()
      if (after() > most) throw blobTooLarge(after(), most)
      reserved += bytes
    },
    settle: (bytes, isWritten) => {
      reserved -= bytes
      if (isWritten) lasting += bytes
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
