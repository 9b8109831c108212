import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

import type { Browser } from 'puppeteer-core'

/** Puts pictures beside each other, so that many are looked at together. */
export async function makeSheet(browser: Browser, files: readonly string[]): Promise<Uint8Array> {
  const page = await browser.newPage()
  await page.setViewport({ width: 2_000, height: 800 })
  const figures = files.map((file) => {
    const source = `data:image/png;base64,${readFileSync(file).toString('base64')}`
    return `<figure><figcaption>${basename(file)}</figcaption><img src="${source}"></figure>`
  })
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;margin:8px;background:#888;font:14px sans-serif}figure{margin:0}img{width:auto;height:440px;display:block}</style>${figures.join('')}`,
  )
  const sheet = await page.screenshot({ fullPage: true })
  await page.close()
  return sheet
}
