import { availableParallelism } from 'node:os'

import { click } from './actions/click.ts'
import { executeJavascript } from './actions/javascript.ts'
import { pdfAction } from './actions/pdf.ts'
import { press } from './actions/press.ts'
import { scrapeAction } from './actions/scrape.ts'
import { screenshotAction } from './actions/screenshot.ts'
import { scroll } from './actions/scroll.ts'
import { wait } from './actions/wait.ts'
import { write } from './actions/write.ts'
import { attributes } from './formats/attributes.ts'
import { changeTracking } from './formats/change-tracking.ts'
import { dom } from './formats/dom.ts'
import { html } from './formats/html.ts'
import { images } from './formats/images.ts'
import { json } from './formats/json.ts'
import { links } from './formats/links.ts'
import { markdown } from './formats/markdown.ts'
import { metadata, title } from './formats/metadata.ts'
import { rawHtml } from './formats/raw-html.ts'
import { screenshot } from './formats/screenshot.ts'
import { browserLoader } from './loaders/browser.ts'
import { httpLoader } from './loaders/http.ts'
import { binaryParser } from './parsers/binary.ts'
import { csvParser } from './parsers/csv.ts'
import { htmlParser } from './parsers/html.ts'
import { codeParser, jsonParser, textParser, xmlParser } from './parsers/text.ts'
import { definePlugin } from './plugin/define.ts'

export const builtInActions = [
  wait,
  click,
  write,
  press,
  scroll,
  screenshotAction,
  scrapeAction,
  executeJavascript,
  pdfAction,
] as const

export const builtInFormats = [
  markdown,
  html,
  rawHtml,
  links,
  images,
  metadata,
  attributes,
  screenshot,
  json,
  changeTracking,
] as const

/** The parts that every engine has. They come through the same doors as those of anybody else. */
export function builtIn(has: { readonly browser: boolean }) {
  return definePlugin({
    name: 'harvestman',
    formats: builtInFormats,
    actions: builtInActions,
    loaders: has.browser ? [httpLoader, browserLoader] : [httpLoader],
    parsers: [htmlParser, jsonParser, xmlParser, csvParser, textParser, codeParser, binaryParser],
    fields: [title, dom],
  })
}

const hour = 3_600_000
const megabyte = 1_000_000

/** The bounds of an engine that says nothing about them. */
export const defaultLimits = {
  /** The largest body that is taken, unpacked, in bytes. */
  bodyBytes: 50 * megabyte,
  /** The largest text that is read as a page, in bytes. */
  pageBytes: 20 * megabyte,
  /** Milliseconds that one page may be read for. */
  readTime: 10_000,
  /** Pages up to this many bytes are read on the calling thread, those whose main content is looked for up to half of it. */
  inlineBytes: 128_000,
  /** Threads that read larger pages. */
  readers: Math.max(1, availableParallelism() - 1),
  /** Megabytes that reading one page may take. */
  readMegabytes: 2_048,
  /** Pages that jobs load at once. */
  concurrency: 32,
  /** Pages that the jobs of one team load at once. */
  teamConcurrency: 32,
  /** Milliseconds after which a job is taken up by another engine when its own is not heard of. */
  leaseTime: 15_000,
}

export const defaultKeeping = {
  /** Milliseconds that a result can be read again by its id. */
  results: 24 * hour,
  /** Milliseconds that a crawl or a batch is kept, with its pages. */
  jobs: 24 * hour,
  /** Milliseconds that a picture or a PDF is kept, where its address is given. */
  files: 24 * hour,
  /** Milliseconds that a page is kept for requests that take a copy. */
  pages: 7 * 24 * hour,
  /** The longest, in milliseconds, that what plugins keep is kept. */
  plugins: 365 * 24 * hour,
  /** The longest, in milliseconds, that a host is asked by browser at once because it showed nothing without. 0 is never. */
  hosts: 24 * hour,
  /** Bytes of pages, and as many of files, that are kept in memory when no store was given for them. */
  memory: 32 * megabyte,
}
