import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { pageOf, puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { scripts } from '@harvestman/live/scripts'

/** Records how a form is filled in, and fills it in again with another name. */
export async function signUp(url: string, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({
    allowPrivate,
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions() }), scripts()],
  })
  await using session = await engine.live.open()
  await session.act({ type: 'goto', url })

  await engine.scripts.record({ session: session.id })
  {
    await using page = await pageOf(session)
    await page.type('[name=name]', 'Ann')
    await page.click('button')
  }
  await engine.scripts.save({ name: 'sign-up', session: session.id, parameters: { name: 'Ann' } })

  const { steps } = await engine.scripts.run('sign-up', { parameters: { name: 'Bob' } })
  return steps.map(({ action, element, outcome }) => `${action} ${element}: ${outcome}`)
}
