import type { FeatureKit } from '@harvestman/core/plugin'

type Work = Parameters<FeatureKit['work']>[0]

/**
 * Runs something that lasts, such as a live browser, as one unit of the engine's work (see `FeatureKit.work`). `begin`
 * receives a function that ends the work, which resolves when all wrappers of the work have finished. Resolves to the
 * result of `begin`. Rejects if `begin` does, or a wrapper refuses the work.
 */
export async function runLastingWork<Begun>(
  kit: Pick<FeatureKit, 'work'>,
  work: Work,
  begin: (end: () => Promise<void>) => Promise<Begun>,
): Promise<Begun> {
  const begun = Promise.withResolvers<Begun>()
  const over = Promise.withResolvers<void>()
  const end = async (): Promise<void> => {
    over.resolve()
    await done.catch(() => undefined)
  }
  const done = kit.work(work, async () => {
    begun.resolve(await begin(end))
    await over.promise
  })
  done.catch(begun.reject)
  return begun.promise
}
