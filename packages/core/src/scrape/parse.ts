import { EngineError } from '@harvestman/ports'
import { documentTally, type DocumentBound } from '@harvestman/threads'
import { sniffType } from '@harvestman/net'
import { maxUnits } from '../credits/max-units.ts'
import { formatValue } from '../lib/format-value.ts'
import type { Content, InnerParsing, ParseContext, Parser } from '../plugin/parts.ts'
import type { Port } from '../plugin/port.ts'
import { chooseParser, isDeclared, isOn, parserTurnedOff, rawParser } from './choose-parser.ts'
import type { ScrapeContext } from './context.ts'
import { failedPartDetails } from './failed-part.ts'
import { documentLimit, type Kit } from './kit.ts'
import type { ReadFilePages } from './file-pages.ts'
import type { ParsedPage } from './made.ts'
import type { ReadTask, Size } from './reader.ts'
import { loginState, screenedSource, type Reading } from './readings.ts'
import type { PageHead, Visit } from './visit.ts'
import type { Plan } from './plan.ts'

/**
 * Converts the bytes of a page to content, by their detected media type rather than the declared one, and reads the values in
 * the plan. Rejects with `unsupported_file` if no parser reads that type, `page_too_complex` if the page has too much text, and
 * `internal` for a bug in a parser.
 */
export async function parse(
  visit: Visit,
  { plan, caller: { team }, time, kit, steps }: ScrapeContext,
): Promise<ParsedPage> {
  const { page, body } = visit
  const { signal } = time
  const contentType = page.headers['content-type']
  const type = typeOf(visit, kit)
  const parser = plan.isRaw && type !== 'text/html' ? rawParser : chooseParser(type, plan, kit)
  // Before the parser, which may take over the bytes.
  const raw = plan.isRaw
    ? { 'page.base64': Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64') }
    : {}
  const facts = { url: page.url, type, contentType }
  const content = await contentOf(body, parser, facts, { plan, caller: { team }, time, kit, steps })
  checkSize(content, kit)
  // The indexes refer to the HTML as it was loaded.
  const hidden = typeof content.html === 'object' ? page.hidden : undefined
  // Tags named by the user still apply.
  const scope = content.isAllContent ? { ...plan.request, onlyMainContent: false, isFile: true } : plan.request
  const task = { url: page.url, team, scope, most: documentLimit(kit) }
  const { byPage, blocks, markdown } = await filePages(content, parser, { task, plan, kit, signal, steps })
  const { own: read, problem } = await ownValues(content, plan)
  const own = { ...read, ...raw, ...(markdown !== undefined && { 'page.markdown': markdown }) }
  const ownSizes = sizesOf({ ...own, metadata: content.metadata }, kit)
  const {
    values,
    warnings,
    sizes,
    failures = {},
  } = await kit.reader.read(
    {
      source: content.text ? { text: content.text } : { html: content.html ?? '' },
      ...(hidden && { hidden }),
      ...task,
      wanted: wantedOf(visit, content, plan),
      // Only a page requested for the second time is likely to be requested again, so first visits are not cached here.
      version: visit.cacheState === 'hit' ? visit.version : undefined,
    },
    signal,
  )
  return {
    values: { ...values, ...own },
    sizes: { ...sizes, ...ownSizes },
    failures,
    isText: content.html === undefined,
    hidden,
    byPage,
    blocks,
    metadata: content.metadata ?? {},
    units: content.units ?? 1,
    parser,
    type,
    contentType: isDeclared(contentType, type, parser) ? contentType : type,
    warnings: [...(content.warnings ?? []), ...(problem === undefined ? [] : [problem]), ...warnings],
  }
}

type ParsingContext = Pick<ScrapeContext, 'plan' | 'time' | 'kit' | 'steps'> & {
  readonly caller: Pick<ScrapeContext['caller'], 'team'>
}
type FileFacts = Pick<ParseContext, 'url' | 'type' | 'contentType'>

function contentOf(
  body: Uint8Array,
  parser: Parser,
  facts: FileFacts,
  { plan, caller: { team }, time, kit, steps }: ParsingContext,
): Promise<Content> {
  const contextOf = (chosen: Parser, file: FileFacts): ParseContext => ({
    ...file,
    request: plan.request,
    turnedOff: parserTurnedOff(file.type, plan, kit),
    team,
    store: kit.pluginStores.of(kit.registry.ownerOf(chosen), team, plan.mayKeep),
    signal: time.signal,
    most: boundOfFile(kit),
    timeLeft: () => time.timeLeft(),
    port: <Service>({ name }: Port<Service>) => kit.ports.get(name) as Service | undefined,
  })
  let unitsLeft = maxUnits(plan.request, kit.registry.parsers)
  const inner: InnerParsing = {
    // Only read by parsers of files that contain others.
    get extensions() {
      const parsers = kit.registry.plugins.flatMap((plugin) => plugin.parsers.filter(({ name }) => isOn(name, plan)))
      return new Set(parsers.flatMap(({ files = [] }) => files.flatMap((file) => file.extensions)))
    },
    parse: async (bytes, name) => {
      const url = `file:///${encodeURIComponent(name)}`
      const { type } = sniffType(bytes, undefined, url, kit.registry.textTypes)
      const chosen = chooseParser(type, plan, kit)
      if (chosen.maxUnits && unitsLeft <= 0) throw tooManyPages()
      const context = contextOf(chosen, { url, type, contentType: undefined })
      const content = await parseWith(chosen, bytes, kit, { ...context, request: atMostPages(plan.request, unitsLeft) })
      const units = Math.min(content.units ?? 0, unitsLeft)
      unitsLeft -= units
      return { ...content, units }
    },
  }
  const parseFor = (request: Plan['request']): Promise<Content> =>
    parseWith(parser, body, kit, { ...contextOf(parser, facts), request, inner })
  const request = needsBlocks({ plan, steps }) ? withBlocks(plan.request, parser) : plan.request
  if (request === plan.request) return parseFor(request)
  return parseFor(request).catch((error: unknown) => {
    // The blocks must not make a file fail that can be read without them. A parser may have taken the bytes.
    const isTooLarge = EngineError.is(error) && error.code === 'page_too_complex' && body.byteLength > 0
    if (!isTooLarge || time.signal.aborted) throw error
    unitsLeft = maxUnits(plan.request, kit.registry.parsers)
    return parseFor(plan.request)
  })
}

/** Returns whether blocks are needed: by a format or the caller, or because an explanation names the places of values in files. */
function needsBlocks({ plan, steps }: Pick<ScrapeContext, 'plan' | 'steps'>): boolean {
  return plan.needsBlocks || steps !== undefined
}

/** Returns the request with blocks for this parser. Unchanged if it asks for them already, or has no options for this parser. */
function withBlocks(request: Plan['request'], { name }: Parser): Plan['request'] {
  // Parsers read the first choice of their type.
  const own = request.parsers.find(({ type }) => type === name)
  if (!own || own.blocks === true) return request
  return { ...request, parsers: request.parsers.map((choice) => (choice === own ? { ...own, blocks: true } : choice)) }
}

/** Returns a request in which no parser reads more pages of a file than this. */
function atMostPages(request: Plan['request'], pages: number): Plan['request'] {
  const parsers = request.parsers.map((choice) =>
    'maxPages' in choice && choice.maxPages !== undefined
      ? { ...choice, maxPages: Math.max(1, Math.min(choice.maxPages, pages)) }
      : choice,
  )
  return { ...request, parsers }
}

function tooManyPages(): EngineError {
  return new EngineError(
    'response_too_large',
    'The files before it have as many pages as the request allows. Raise maxPages of the parser to read it.',
  )
}

interface FilePagesContext extends Pick<ScrapeContext, 'steps'> {
  readonly task: Pick<ReadTask, 'url' | 'team' | 'scope' | 'most'>
  readonly plan: Plan
  readonly kit: Kit
  readonly signal: AbortSignal
}

async function filePages(
  { pages }: Content,
  { name }: Parser,
  { task, plan, kit, signal, steps }: FilePagesContext,
): Promise<Partial<ReadFilePages>> {
  const { request } = plan
  const choice = pages && request.parsers.find(({ type }) => type === name)
  if (!choice) return {}
  const { readFilePages } = await import('./file-pages.ts')
  return readFilePages({ pages, choice, withBlocks: needsBlocks({ plan, steps }), request, task }, kit.reader, signal)
}

function wantedOf(
  { profile }: Visit,
  { text, html, isAllContent }: Content,
  { screening, readings }: Plan,
): readonly Reading[] {
  if (!screening && !profile) return readings
  const marker = profile?.inUse.marker
  const isPage = html !== undefined && isAllContent !== true
  return [
    ...readings,
    ...(screening && text ? [screenedSource] : []),
    ...(profile && isPage ? [{ ...loginState, options: marker ? { marker: { ...marker } } : {} }] : []),
  ]
}

/** Turns any unexpected error or result of a parser into an error that names the parser. */
async function parseWith(parser: Parser, body: Uint8Array, kit: Kit, context: ParseContext): Promise<Content> {
  const fault = (error: unknown): EngineError =>
    new EngineError(
      'internal',
      `The parser ${parser.name} could not read ${context.type}. ${failedPartDetails(parser, error, kit)}`,
      {
        cause: error,
      },
    )
  let content: Content
  try {
    content = await parser.parse(body, context)
  } catch (error) {
    if (context.signal.aborted || EngineError.is(error)) throw error
    throw fault(error)
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw fault(new TypeError(`it returned ${formatValue(content)}. Return { html }, { markdown } or { text }.`))
}

const types = new WeakMap<PageHead, string>()

/** Caches the media type: a page in memory is the same object each time. */
function typeOf({ page, body }: Visit, { registry }: Kit): string {
  const known = types.get(page)
  if (known !== undefined) return known
  const { type } = sniffType(body, page.headers['content-type'], page.url, registry.textTypes)
  types.set(page, type)
  return type
}

/** Returns the limit for a file's HTML, which may be larger than the document made from it. */
function boundOfFile({ limits }: Kit): DocumentBound {
  return { bytes: Math.max(limits.documentBytes, limits.pageBytes), values: limits.documentValues }
}

function sizesOf(values: Readonly<Record<string, unknown>>, kit: Kit): Record<string, Size> {
  const sized = ([field, value]: [string, unknown]) => {
    const tally = documentTally(documentLimit(kit))
    tally.add(value)
    return [field, { bytes: tally.bytes, values: tally.values }] as const
  }
  return Object.fromEntries(Object.entries(values).map(sized))
}

function checkSize({ html, text }: Content, { limits }: Kit): void {
  const size = typeof html === 'string' ? html.length : ((text ?? html)?.bytes.byteLength ?? 0)
  if (size <= limits.pageBytes) return
  throw new EngineError(
    'page_too_complex',
    `The page has ${size} bytes of text; at most ${limits.pageBytes} are read. Raise limits.pageBytes to read it.`,
    { details: { bytes: size, limit: limits.pageBytes } },
  )
}

interface OwnValues {
  readonly own: Readonly<Record<string, unknown>>
  readonly problem: string | undefined
}

async function ownValues({ markdown, rawHtml }: Content, { request: { redactPII } }: Plan): Promise<OwnValues> {
  const raw = rawHtml === undefined ? {} : { 'page.rawHtml': rawHtml }
  if (markdown === undefined) return { own: raw, problem: undefined }
  if (redactPII === undefined) return { own: { 'page.markdown': markdown, ...raw }, problem: undefined }
  const { redact, redactionProblem } = await import('../redact/redact.ts')
  return { own: { 'page.markdown': redact(markdown, redactPII), ...raw }, problem: redactionProblem(markdown) }
}
