// Each contender turns one address into links, metadata and Markdown. One runs in a process at a time.
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

import { createEngine } from '@harvestman/core'

export interface Contender {
  visit(url: string): Promise<{ readonly markdown: string; readonly links: number }>
  close(): Promise<void>
}

/** What somebody writes in an afternoon: fetch, linkedom, turndown. */
function naive(): Contender {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  return {
    visit: async (url) => {
      const html = await (await fetch(url)).text()
      const { document } = parseHTML(html)
      const hrefs = [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href') ?? '')
      const links = new Set(hrefs.filter((href) => URL.canParse(href, url)).map((href) => new URL(href, url).href))
      for (const element of document.querySelectorAll('script, style, noscript')) element.remove()
      return { markdown: service.turndown(document.body as never), links: links.size }
    },
    close: async () => undefined,
  }
}

function ours(onlyMainContent: boolean, limits: object = {}): Contender {
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], limits })
  return {
    visit: async (url) => {
      const { markdown, links } = await engine.scrape({ url, onlyMainContent, formats: ['markdown', 'links'] })
      return { markdown, links: links.length }
    },
    close: () => engine.close(),
  }
}

/** Fetch alone: the floor under everybody. */
function fetchOnly(): Contender {
  return {
    visit: async (url) => ({ markdown: await (await fetch(url)).text(), links: 0 }),
    close: async () => undefined,
  }
}

export const contenders: Readonly<Record<string, () => Contender>> = {
  naive,
  'ours, whole page': () => ours(false),
  'ours, main content': () => ours(true),
  'ours, main content, all in workers': () => ours(true, { inlineBytes: 0 }),
  'ours, main content, all in place': () => ours(true, { inlineBytes: 1_000_000_000 }),
  'fetch alone': fetchOnly,
}
