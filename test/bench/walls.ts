// Scrapes two pages of each of thirteen hosts behind walls, with `proxy: auto`, impit and a real browser, and prints the steps. Run it with
// `node test/bench/walls.ts`.
import { createEngine, staticProxies } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { impitFetcher } from '@harvestman/puppeteer/impit'

import { startWalls, wallNames } from '../e2e/walls/site.ts'
import { visitWall } from '../e2e/walls/visit.ts'

const walls = await startWalls()
const engine = createEngine({
  allowPrivate: ['127.0.0.1'],
  identityFetcher: impitFetcher(),
  browser: puppeteerBrowser(),
  proxies: staticProxies({ enhanced: [walls.proxy] }),
})
try {
  for (const name of wallNames)
    for (const path of ['first', 'second']) {
      const { steps, reasons, requests, credits, status, warning, isPassed } = await visitWall(
        walls.hosts[name],
        path,
        engine,
      )
      console.log(`${name}, ${path} page: ${isPassed ? 'passed' : 'blocked'}, status ${status}, ${credits} credits`)
      console.log(`  ${requests} requests; ${steps.join(', ')}`)
      for (const reason of reasons) console.log(`  - ${reason}`)
      if (warning !== undefined) console.log(`  warning: ${warning}`)
    }
} finally {
  await engine.close()
  await walls.close()
}
