import type { FeatureKit } from '@harvestman/core/plugin'

type Work = Parameters<FeatureKit['work']>[0]

/**
 * Begins something that is one piece of work until it ends, such as a live browser. `begin` is given what ends the work, which
 * resolves when everything that stands around the work is done with it.
 */
export async function lasting<Begun>(
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
