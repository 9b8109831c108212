import { createEngine } from '@harvestman/core'
import { monitors } from '@harvestman/monitors'

/** Checks a page on a schedule and returns its changes. */
export async function whatChanged(url: string, change: () => unknown, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, plugins: [monitors()] })
  const { id } = await engine.monitors.create({
    name: 'Prices',
    schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
    targets: [{ type: 'scrape', urls: [url] }],
  })
  const ended = engine.monitors.watch(id)[Symbol.asyncIterator]()
  for (const before of [() => undefined, change]) {
    before()
    await engine.monitors.run(id)
    await ended.next()
  }
  const [newest] = await engine.monitors.checks(id)
  const { pages } = await engine.monitors.check(id, newest?.id ?? '')
  return pages.map(({ status, diff }) => ({ status, diff: diff?.text }))
}
