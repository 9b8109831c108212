import { click } from './actions/click.ts'
import { executeJavascript } from './actions/javascript.ts'
import { pdfAction } from './actions/pdf.ts'
import { press } from './actions/press.ts'
import { scrapeAction } from './actions/scrape.ts'
import { screenshotAction } from './actions/screenshot.ts'
import { scroll } from './actions/scroll.ts'
import { wait } from './actions/wait.ts'
import { write } from './actions/write.ts'
import { branding } from './branding/format.ts'
import { attributes } from './formats/attributes.ts'
import { changeTracking } from './formats/change-tracking.ts'
import { dom } from './formats/dom.ts'
import { highlights } from './formats/highlights.ts'
import { html } from './formats/html.ts'
import { json } from './formats/json.ts'
import { hiddenText, images, links } from './formats/lists.ts'
import { markdown } from './formats/markdown.ts'
import { audio, video } from './formats/media.ts'
import { metadata, title } from './formats/metadata.ts'
import { query, question } from './formats/question.ts'
import { rawBase64 } from './formats/raw-base64.ts'
import { rawHtml } from './formats/raw-html.ts'
import { screenshot } from './formats/screenshot.ts'
import { summary } from './formats/summary.ts'
import { browserLoader } from './loaders/browser.ts'
import { httpLoader, identityLoader } from './loaders/http.ts'
import { binaryParser } from './parsers/binary.ts'
import { htmlParser } from './parsers/html.ts'
import { textParsers } from './parsers/text.ts'
import { definePlugin } from './plugin/define.ts'
import { teamFeature } from './team/feature.ts'

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
  rawBase64,
  links,
  images,
  hiddenText,
  video,
  audio,
  metadata,
  attributes,
  screenshot,
  branding,
  json,
  summary,
  question,
  query,
  highlights,
  changeTracking,
] as const

/**
 * Returns the built-in parts of every engine. They are defined with the same functions as parts of plugins. Loaders whose
 * port is missing are omitted.
 */
export function builtIn(has: { readonly browser?: unknown; readonly identityFetcher?: unknown }) {
  return definePlugin({
    name: 'harvestman',
    formats: builtInFormats,
    actions: builtInActions,
    loaders: [httpLoader, ...(has.identityFetcher ? [identityLoader] : []), ...(has.browser ? [browserLoader] : [])],
    parsers: [htmlParser, ...textParsers, binaryParser],
    fields: [title, dom],
    features: [teamFeature],
  })
}
