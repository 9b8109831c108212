// @module-tag browser
import { browserContract, tabContract, withoutCases } from '@harvestman/testing'
import type { Browser, MakeBrowser, Tab } from '@harvestman/ports'
import { afterAll, describe, test } from 'vitest'

import { puppeteerBrowser } from '../src/index.ts'

describe('puppeteerBrowser keeps the contract of a browser', () => {
  for (const { name, run } of browserContract) test(name, () => run(() => puppeteerBrowser()))
})

describe('its tabs keep the contract of a tab', () => {
  let browser: Browser | undefined
  // Each rule has tabs of its own, and the guard of one refuses what that of another does.
  const shared: MakeBrowser = (guard) => {
    const own = (browser ??= puppeteerBrowser()(guard))
    const tabs: Tab[] = []
    return {
      ...own,
      open: async (...given) => {
        const tab = await own.open(...given)
        tabs.push(tab)
        return tab
      },
      close: async () => void (await Promise.all(tabs.map((tab) => tab.close()))),
    }
  }
  afterAll(() => browser?.close())
  const contract = withoutCases(tabContract, {
    'a click on an element that is not there rejects':
      'with all, that nothing matches is no error; that it is one without all is tested with the actions',
  })
  for (const { name, run } of contract) test(name, () => run(() => shared))
})
