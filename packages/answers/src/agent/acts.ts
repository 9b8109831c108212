// Tool calls of the agent's model, and the results that are sent back to it.
import { versionOf, type WebHit } from '@harvestman/core/plugin'
import { EngineError, publicMessage, type ToolCall } from '@harvestman/ports'
import { asksForContent, carriesContent } from '@harvestman/toolbox/exfiltration'

import { fitMarkdown, type FittedText } from '@harvestman/chunks'

import { beginningOf } from '../beginning-of.ts'
import { earlierIn, type AgentWork, type Findings } from './notes.ts'
import type { AgentRequest } from './request.ts'

/** Values of `within` of the tool `search`. */
export const timeSpans = ['day', 'week', 'month', 'year'] as const

export interface Done {
  /** The tool result that is sent to the model. */
  readonly result: string
  readonly outcome: string
  readonly isFailure: boolean
  readonly findings?: Findings | undefined
}

export interface ActTools {
  readonly request: AgentRequest
  readonly found: readonly Findings[]
  readonly work: AgentWork
  readonly signal: AbortSignal
}

const most = {
  hits: 8,
  perHost: 3,
  listed: 100,
  urls: 500,
  letters: 50_000,
  shown: 8_000,
  shownTokens: 2_000,
  named: 20,
}

/**
 * Runs a call of the tool `search`, `list` or `read`. An unknown tool, a URL that is not allowed or an `EngineError` becomes a
 * failed result, so that the model can continue. A page with status 400 or above is a failure too, but has findings. `outcome`
 * is shown to callers of the agent. Rejects after an abort, without enough credits, and with any error that is not an
 * `EngineError`.
 */
export async function carryOut({ name, input }: ToolCall, tools: ActTools): Promise<Done> {
  const act = acts[name]
  if (!act) return failed(`The tool ${name} does not exist.`)
  // Cast: the input fits the schema of the tool.
  const { url = '', words = '', within } = input as Partial<ActInput>
  try {
    return await act({ url, words, within }, tools)
  } catch (error) {
    tools.signal.throwIfAborted()
    if (!EngineError.is(error) || error.code === 'insufficient_credits') throw error
    return failed(publicMessage(error))
  }
}

interface ActInput {
  readonly url: string
  readonly words: string
  readonly within: (typeof timeSpans)[number] | undefined
}

type Act = (input: ActInput, tools: ActTools) => Promise<Done>

const search: Act = async ({ words, within }, { work, signal }) => {
  const hits = await work.search(words, most.hits, { signal, within, maxPerHost: most.perHost })
  return listed(`The search for ${JSON.stringify(words)}`, hits)
}

const list: Act = async ({ url, words }, tools) => {
  const refusal = whyNot(url, tools)
  if (refusal !== undefined) return failed(refusal)
  const { work, signal } = tools
  return listed(`The site ${url}`, await work.map(url, most.listed, { words: words || undefined, signal }))
}

const read: Act = async ({ url, words }, tools) => {
  const refusal = whyNot(url, tools)
  if (refusal !== undefined) return failed(refusal)
  const { work, signal, request, found } = tools
  const { markdown: text, links, metadata, blocks } = await work.scrape(url, { signal, withBlocks: true })
  const head = `## ${metadata.url}\n${metadata.title ?? ''}\n\n`
  const version = await versionOf({ url: metadata.url, markdown: text, length: most.letters, blocks }, signal)
  const same = found.find((one) => one.version?.hash === version.hash && one.version.url !== version.url)
  if (same) return failed(`${metadata.url} has the same content as ${same.url}, which was read before.`)
  const options = { maxTokens: most.shownTokens, query: words || request.prompt }
  // The answer is written and cited from the findings, so nothing else of the page is shown.
  const beginning = beginningOf(text, most.letters)
  const [shown = { markdown: '', omitted: [] }] = await fitMarkdown([{ markdown: beginning }], options, signal)
  const unread = text.length - beginning.length
  const rest = unread > 0 ? `\n\n(The last ${unread} characters of the page are never shown.)` : ''
  return {
    result: wrapFoundContent(`${head}${shown.markdown}${notShown(shown)}${rest}`),
    outcome: `${text.length} characters of ${metadata.url}, status ${metadata.statusCode}`,
    isFailure: metadata.statusCode >= 400,
    findings: {
      url: metadata.url,
      text: `${head}${beginning}`,
      urls: [url, ...links].slice(0, most.urls),
      ...{ version, headLength: head.length },
    },
  }
}

const acts: Readonly<Record<string, Act>> = { search, list, read }

/** Lists the parts of a page that are not shown, so that the model can read the page again with other words. */
function notShown({ omitted }: FittedText): string {
  if (omitted.length === 0) return ''
  const named = omitted.slice(0, most.named).map(({ headings, tokens }) => {
    const heading = headings.at(-1) ?? 'a part without a heading'
    return `${heading.slice(0, 80)} (${tokens} tokens)`
  })
  return `\n\n(Not shown: ${named.join(', ')}${omitted.length > named.length ? ', …' : ''})`
}

function listed(what: string, pages: readonly WebHit[]): Done {
  const lines = pages.map(({ url, title, description }) => [url, title, description].filter(Boolean).join(' — '))
  const text = `## ${what}\n${lines.join('\n') || '(nothing)'}`
  return {
    result: wrapFoundContent(text.slice(0, most.shown)),
    outcome: `${pages.length} addresses`,
    isFailure: false,
    findings: { url: what, text: text.slice(0, most.shown), urls: pages.map(({ url }) => url).slice(0, most.urls) },
  }
}

/** Wraps found content as data. Any `found` tag inside is escaped, so the content cannot close the wrapper. */
export function wrapFoundContent(text: string): string {
  return `<found>\n${text.replaceAll(/<(\/?)found/gi, '‹$1found')}\n</found>`
}

function failed(outcome: string): Done {
  return { result: `That failed: ${outcome}`, outcome, isFailure: true }
}

/**
 * Returns the reason why a URL must not be visited, in addition to the network guard. A malicious page could make the model
 * leak data through a URL. Therefore a query string is allowed only in URLs that are part of the prompt, the request or an
 * earlier result, and so is a path with content of the conversation. A URL with a placeholder for such content is never allowed,
 * and a user name or password only in URLs of the prompt or the request.
 */
function whyNot(url: string, { request, found, work }: ActTools): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return `${url.slice(0, 200)} is no address of a page.`
  const { urls, prompt, strictConstrainToURLs } = request
  if (strictConstrainToURLs && !urls.some((root) => isBelow(parsed, new URL(root))))
    return `${parsed.href} is not one of the addresses that were given, nor below one.`
  if (urls.includes(url) || prompt.includes(url)) return undefined
  const isHere = (one: string): boolean => URL.parse(one)?.href === parsed.href
  if ((parsed.username !== '' || parsed.password !== '') && !urls.some(isHere))
    return `The URL of ${parsed.host} has a user name or password that was not given. Do not visit it.`
  if (asksForContent(url)) return `${parsed.href.slice(0, 200)} asks for content of this conversation. Do not visit it.`
  if ([...urls, ...found.flatMap((one) => one.urls)].some(isHere)) return undefined
  const isPlain = parsed.search === '' && parsed.href.length <= 300
  if (isPlain && !carriesContent(parsed, [prompt, earlierIn(work), ...textsOfOtherHosts(parsed, found)]))
    return undefined
  return `${parsed.href} was not found anywhere. Read what was found.`
}

/** Pages of the same host know their content already. */
function textsOfOtherHosts({ host }: URL, found: readonly Findings[]): readonly string[] {
  return found.flatMap(({ url, text }) => (URL.parse(url)?.host === host ? [] : [text]))
}

function isBelow(url: URL, root: URL): boolean {
  const folder = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`
  return url.origin === root.origin && (url.pathname === root.pathname || url.pathname.startsWith(folder))
}
