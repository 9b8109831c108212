// Kinds of hidden and folded text, and in which formats of which loaders each is found.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { scriptedLLM } from '@harvestman/testing'

import { visibleCases, type VisibleCase } from '../../../packages/html/src/visible/cases.ts'

const hiddenKinds = [
  'display none in a style attribute',
  'display none by a class',
  'display none by an id',
  'display none by a parent',
  'display none by a variable',
  'display none in a layer',
  'the hidden attribute',
  'a closed dialog without a control',
  'visibility hidden',
  'opacity 0',
  'opacity of one percent',
  'far to the left',
  'far above',
  'moved away by a transform',
  'moved away by a margin',
  'scaled to nothing',
  'zero size',
  'clipped as for screen readers',
  'clipped by a path',
  'text indent',
  'font size 0',
  'white on white',
  'black on black',
  'hidden inside a tab panel',
]
const readableKinds = [
  'a utility name without a rule',
  'a rule for print',
  'visible inside invisible',
  'white on a dark background',
  'white on a picture',
  'a tab panel with a tab',
  'a panel of Bootstrap',
  'an accordion without aria',
  'a details element',
  'read more after the text',
  'a menu under the pointer',
  'a checkbox that opens',
  'a dialog with a control',
  'a slide of a carousel',
  'until found',
  'shown by an animation',
]

/** 24 kinds of hidden text and 16 kinds of text that visitors see or can open. */
export const kinds: readonly VisibleCase[] = [...hiddenKinds, ...readableKinds].map((name) => {
  const found = visibleCases.find((one) => one.name === name)
  if (!found) throw new Error(`There is no case named ${name}.`)
  return found
})

/** Readable text that is not main content: it is in a menu or dialog, or its class is one of text for screen readers. */
const outsideMain = new Set(['a utility name without a rule', 'a menu under the pointer', 'a dialog with a control'])

/** Visible only after a visitor has opened it, or a search of the browser has found it. */
const needsOpening = new Set(['a details element', 'until found'])

export const loaders = ['http', 'browser'] as const
export type LoaderName = (typeof loaders)[number]
export const formats = ['main', 'whole', 'html', 'links', 'json', 'changes', 'hiddenText'] as const
export type FormatName = (typeof formats)[number]

/** Whether the tested text was found, by format. */
export type Found = Readonly<Record<FormatName, boolean>>

/** Returns where the text of a kind must be found. */
export function expectedOf({ name, isSeen }: VisibleCase): Found {
  return {
    main: isSeen && !outsideMain.has(name),
    whole: isSeen,
    html: isSeen,
    links: isSeen,
    json: isSeen,
    changes: isSeen,
    hiddenText: !isSeen,
  }
}

/**
 * Returns whether the text of a kind must be in a snapshot of a live browser, which has what is visible at present.
 * `undefined`: text that a visitor can open may be in it or not.
 */
export function isExpectedInSnapshot({ name, isSeen, kept }: VisibleCase): boolean | undefined {
  return kept === undefined ? isSeen && !needsOpening.has(name) : undefined
}

const secret = '<a href="/zebra">zebra quartz text of the page that is in question here</a>'
const sentence =
  'The log of the harbour names every ship that passed the light in the night, where it came from and what it carried, ' +
  'and of one of them it has the <a href="/zebra">zebra quartz</a> that was found in the hold after the storm.'
const paragraph =
  '<p>The keeper counted the ships that passed in the night, and wrote their names into a book bound in green cloth.</p>'

function pageOf({ head = '', body }: VisibleCase, isWithText: boolean): string {
  const text = isWithText ? body.replaceAll(secret, sentence) : body.replaceAll(secret, '<i></i>')
  return (
    `<!doctype html><html><head><title>Harbour log</title>${head}</head><body><main><article><h1>Harbour log</h1>` +
    `${paragraph.repeat(4)}${text}${paragraph.repeat(2)}</article></main></body></html>`
  )
}

/** Opens an engine with a browser, and a server that has a page for each kind. */
export async function openTable() {
  let withText = true
  const site = createServer(({ url = '' }, response) => {
    const kind = kinds[Number(/^\/kind\/(\d+)\//.exec(url)?.[1] ?? -1)]
    response
      .writeHead(kind ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      .end(kind ? pageOf(kind, withText) : 'Not found')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  const llm = scriptedLLM([{ value: { cargo: '' } }])
  const engine = createEngine({
    allowPrivate: ['127.0.0.1'],
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions() })],
    llm,
  })
  const scrape = async (kind: VisibleCase, loader: LoaderName, request: object) => {
    const url = `http://127.0.0.1:${port}/kind/${kinds.indexOf(kind)}/${loader}`
    const load = loader === 'browser' ? { waitFor: 1 } : {}
    return (await engine.unchecked.scrape({
      url,
      maxAge: 0,
      timeout: 120_000,
      ...load,
      ...request,
    })) as unknown as Values
  }
  return {
    async read(kind: VisibleCase, loader: LoaderName): Promise<Found> {
      withText = false
      await scrape(kind, loader, { formats: ['markdown', 'changeTracking'], onlyMainContent: false })
      withText = true
      const asked = llm.questions.length
      const schema = { type: 'object', properties: { cargo: { type: 'string' } } }
      const whole = await scrape(kind, loader, {
        formats: ['markdown', 'html', 'links', 'hiddenText', 'changeTracking', { type: 'json', schema }],
        onlyMainContent: false,
      })
      const main = await scrape(kind, loader, { formats: ['markdown'], onlyMainContent: true })
      return {
        main: hasText(main.markdown),
        whole: hasText(whole.markdown),
        html: hasText(whole.html),
        links: whole.links.some((link) => link.endsWith('/zebra')),
        json: llm.questions.slice(asked).some((question) => hasText(JSON.stringify(question))),
        changes: whole.changeTracking.changeStatus === 'changed',
        hiddenText: whole.hiddenText.some(({ text, kept }) => kept === undefined && hasText(text)),
      }
    },
    /** Returns the text of a snapshot of the page in a live browser. */
    async snapshot(kind: VisibleCase): Promise<string> {
      withText = true
      const url = `http://127.0.0.1:${port}/kind/${kinds.indexOf(kind)}/live`
      const { metadata } = await engine.scrape({ url, maxAge: 0 }, { keep: true })
      await using session = await engine.live.ofScrape(metadata.scrapeId)
      return (await session.snapshot()).text
    },
    async close(): Promise<void> {
      await engine.close()
      site.closeAllConnections()
      site.close()
    },
  }
}

interface Values {
  readonly markdown: string
  readonly html: string
  readonly links: readonly string[]
  readonly hiddenText: readonly { readonly text: string; readonly kept?: string }[]
  readonly changeTracking: { readonly changeStatus: string }
}

/** Returns whether the words of the tested text are in a text. */
export const hasText = (text: string): boolean => /zebra quartz/.test(text)
