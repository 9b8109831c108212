import { z } from 'zod'

import { deepFreeze } from '@harvestman/ports/values'
import type { Format } from './field.ts'
import { batchOptions } from '../schema/batch.ts'
import { fileOptions, fixedForFiles } from '../schema/file.ts'
import type { Action } from './action.ts'
import {
  allParsers,
  type ParserChoice,
  pageOptions,
  urlSchema,
  type RequestDefaults,
  type RequestedPart,
  type ScrapeRequest,
} from '../schema/scrape.ts'

const maxFormats = 50
const maxActions = 50
const maxWaitTime = 60_000

/** Parts of an engine that determine its request schemas. */
export interface Parts {
  readonly formats: readonly Format[]
  readonly actions: readonly Action[]
  /** URL schemes that at least one loader accepts. */
  readonly schemes?: ReadonlySet<string>
}

/** Builds the schema of an engine's scrape requests from its formats and actions. */
export function buildScrapeSchema(parts: Parts, defaults: RequestDefaults) {
  const url = urlSchema(parts.schemes).meta({
    title: 'Address',
    description: 'The page.',
    group: 'Content',
    order: 0,
  })
  return buildSchema(parts, defaults, { options: { url }, isOnePage: true })
}

/** Builds the schema of the options for an uploaded file: scrape options without those about loading a page. */
export function buildFileSchema(parts: Parts, defaults: RequestDefaults) {
  const formats = parts.formats.filter(worksOnFiles)
  return buildSchema({ ...parts, formats }, defaults, { options: fileOptions, fixed: fixedForFiles })
}

/** Returns whether a format can be derived from bytes alone, without a live browser page or a freshly loaded page. */
export function worksOnFiles({ capture, follows, isRaw }: Pick<Format, 'capture' | 'follows' | 'isRaw'>): boolean {
  return !capture && !follows && !isRaw
}

/**
 * Builds the schema of scrape options without a URL, for requests that load many pages. `own` overrides the
 * defaults of a scrape.
 */
export function buildScrapeOptionsSchema(
  parts: Parts,
  defaults: RequestDefaults,
  own: Pick<OwnOptions<z.ZodRawShape>, 'formats' | 'parsers'> = {},
) {
  return buildSchema(parts, defaults, { options: {}, ...own })
}

/** A request's options in addition to the page options, and the page options that it excludes. */
interface OwnOptions<Own extends z.ZodRawShape> {
  readonly options: Own
  /** Values of page options that requests cannot set. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** True for the request of one page, which may be limited to the cache. */
  readonly isOnePage?: boolean
  /** Default formats. */
  readonly formats?: readonly string[]
  /** Default parsers. */
  readonly parsers?: readonly ParserChoice[]
}

function buildSchema<Own extends z.ZodRawShape>(
  parts: Parts,
  defaults: RequestDefaults,
  { options: own, fixed = {}, isOnePage = false, ...ownDefaults }: OwnOptions<Own>,
) {
  const { formats: defaultFormats = ['markdown'], parsers = allParsers } = ownDefaults
  const objects = parts.formats.map(formatObject)
  const words = parts.formats.flatMap((format) => [format.type, ...Object.keys(format.aliases)])
  const format = z.union([z.enum(words as [string, ...string[]]), discriminated(objects)])
  const olderPlaces = parts.formats.flatMap((format) =>
    format.optionsUnder ? [[format.optionsUnder, olderPlace(format)] as const] : [],
  )
  const action = discriminated(parts.actions.map(actionObject))
  const shape = {
    ...pageOptions(defaults),
    ...Object.fromEntries(olderPlaces),
    formats: z
      .array(format)
      .max(maxFormats)
      .meta({
        title: 'Formats',
        defaultText: `\`${JSON.stringify(defaultFormats)}\``,
        description: 'The formats of the document: names, or objects with `type` and options. Each at most once.',
        group: 'Content',
        order: 1,
      })
      .default([...defaultFormats]),
    actions: z
      .array(action)
      .max(maxActions)
      .meta({
        title: 'Actions',
        description:
          'Actions to run on the page before it is read, in order. All waits, including `waitFor`, may take 60 s in total.',
        needs: 'a browser',
        group: 'Browser',
        secret: true,
      })
      .default([]),
  }
  return (
    z
      .strictObject({ ...own, ...without(shape, fixed) })
      // zod runs this only after each field is valid, so rules between fields can rely on the types.
      .transform((input, context) => {
        const request = { ...fixed, ...(input as object) } as LooseRequest
        const asked = request.formats.map((entry) => askedFormat(entry, request, parts))
        const issue: AddIssue = (path, message, params) =>
          context.addIssue({ code: 'custom', path, message, ...(params && { params }) })
        if (request.lockdown && !isOnePage) issue(['lockdown'], 'applies to a scrape of one page only; remove it')
        checkFormats(request, asked, parts, issue)
        checkActions(request, parts, issue)
        if (context.issues.length > 0) return z.NEVER
        return toOneForm(request, asked, parts, { ...defaults, parsers }) as ScrapeRequest & z.output<z.ZodObject<Own>>
      })
  )
}

function without<Shape extends object>(shape: Shape, names: object): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !Object.hasOwn(names, name))) as Shape
}

/**
 * Builds the schema of a batch request: scrape options and options for the batch. Its URLs are checked separately, in slices.
 */
export function batchSchema(parts: Parts, defaults: RequestDefaults) {
  return buildSchema(parts, defaults, { options: batchOptions })
}

export type ScrapeSchema = ReturnType<typeof buildScrapeSchema>

export type FileSchema = ReturnType<typeof buildFileSchema>

function formatObject(format: Format) {
  const { type, options, value } = format
  return z
    .strictObject({ type: z.literal(type), ...options.shape })
    .meta({ id: `${capitalised(type)}Format`, title: type, ...describing(options.description ?? value?.description) })
}

function actionObject({ type, schema }: Action) {
  return z
    .strictObject({ type: z.literal(type), ...schema.shape })
    .meta({ id: `${capitalised(type)}Action`, title: type, ...describing(schema.description) })
}

function olderPlace({ type, options }: Format) {
  const description = `The former place of the options of the format ${type}.`
  return options.partial().strict().meta({ title: type, description, deprecated: true, group: 'Content' }).optional()
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function describing(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description }
}

type TypedPart = z.ZodObject<{ type: z.ZodLiteral<string> }, z.core.$loose>

function discriminated(options: TypedPart[]): z.ZodType<RequestedPart> {
  return z.discriminatedUnion('type', options as [TypedPart, ...TypedPart[]])
}

type AddIssue = (path: (string | number)[], message: string, params?: { readonly isOfPublicApi: true }) => void

interface LooseRequest {
  readonly formats: readonly (string | RequestedPart)[]
  readonly actions: readonly RequestedPart[]
  readonly waitFor: number
  readonly lockdown: boolean
  readonly maxAge: number
  readonly timeout: number
  readonly [option: string]: unknown
}

/** A requested format with its parsed options, frozen so that anything compiled from them can be cached by identity. */
interface AskedFormat {
  readonly entry: string | RequestedPart
  readonly type: string
  readonly format: Format | undefined
  readonly options: object | undefined
  readonly wrong: string | undefined
}

function askedFormat(entry: string | RequestedPart, request: LooseRequest, { formats }: Parts): AskedFormat {
  const type = typeOf(entry, formats)
  const format = formats.find((candidate) => candidate.type === type)
  const read = format?.options.safeParse(givenOptions(format, entry, request))
  const options = read?.data && deepFreeze(read.data)
  return { entry, type, format, options, wrong: format && read && wrongOptions(format, read.error ?? options) }
}

function checkFormats(request: LooseRequest, asked: readonly AskedFormat[], { formats }: Parts, issue: AddIssue): void {
  const types = asked.map(({ type }) => type)
  const places = asked.map(({ type, format }) => format?.as ?? type)
  for (const [index, { type, format, wrong }] of asked.entries()) {
    const first = types[places.indexOf(places[index]!)]!
    if (types.indexOf(type) < index) issue(['formats', index], `lists ${type} twice; give each format once`)
    else if (first !== type)
      issue(['formats', index], `lists ${first} and ${type}, which both fill ${places[index]}; give one`)
    const missing = format?.accompanies.find((other) => !types.includes(other))
    if (missing) issue(['formats', index], `${type} needs ${missing} in formats as well; add "${missing}"`)
    if (wrong) issue(['formats', index], wrong)
    if (format?.isRaw && asked.length > 1)
      issue(['formats', index], `${type} cannot be combined with other formats; request it alone`)
  }
  for (const { optionsUnder, type } of formats) {
    if (optionsUnder && request[optionsUnder] !== undefined && !types.includes(type)) {
      issue([optionsUnder], `only applies to the format ${type}; add "${type}" to formats or remove ${optionsUnder}`)
    }
  }
}

function checkActions(request: LooseRequest, { actions }: Parts, issue: AddIssue): void {
  if (request.waitFor > request.timeout / 2) {
    issue(['waitFor'], 'must not exceed half of timeout', { isOfPublicApi: true })
  }
  let waiting = request.waitFor
  for (const [index, entry] of request.actions.entries()) {
    const action = actions.find(({ type }) => type === entry.type)
    const wrong = action?.check(entry)
    if (wrong) issue(['actions', index], wrong)
    waiting += action?.waits(entry) ?? 0
  }
  if (waiting > maxWaitTime)
    issue(['actions'], `wait ${waiting} ms in all with waitFor; at most ${maxWaitTime} is allowed`)
}

function typeOf(entry: string | RequestedPart, formats: readonly Format[]): string {
  if (typeof entry !== 'string') return entry.type
  return formats.find((format) => entry in format.aliases)?.type ?? entry
}

/** Normalizes the options: removes aliases and older option names, so that core handles one form of each. */
function toOneForm(
  request: LooseRequest,
  asked: readonly AskedFormat[],
  { formats }: Parts,
  defaults: RequestDefaults & { readonly parsers: readonly ParserChoice[] },
): unknown {
  const { parsePDF, parsers, ...rest } = request as LooseRequest & { parsePDF?: boolean; parsers?: ParserChoice[] }
  const one: Record<string, unknown> = { ...rest }
  for (const { optionsUnder } of formats) if (optionsUnder) delete one[optionsUnder]
  const chosen = parsePDF === false ? (parsers ?? []).filter(isNotPdf) : (parsers ?? defaults.parsers)
  one['parsers'] = chosen.map(({ pageMarkdown, ...parser }) => (pageMarkdown ? { pages: true, ...parser } : parser))
  one['formats'] = asked.map(({ entry, type, format, options }) => (format ? { ...options, type } : entry))
  if (request.timeout === defaults.timeout)
    one['timeout'] = Math.max(request.timeout, ...asked.map(({ format }) => format?.minTimeout ?? 0))
  if (request.lockdown) Object.assign(one, lockedDown(request, defaults))
  return deepFreeze(one)
}

const twoYears = 2 * 365 * 24 * 3_600_000

/** Returns the options that follow from `lockdown`: nothing is stored, and old copies are accepted. */
function lockedDown({ maxAge }: LooseRequest, defaults: RequestDefaults): object {
  return { zeroDataRetention: true, maxAge: maxAge === defaults.maxAge ? twoYears : maxAge }
}

/** Returns an error message if a format lacks required options, such as one given by name only, or violates a rule. */
function wrongOptions(format: Format, read: object | z.ZodError | undefined): string | undefined {
  if (read instanceof z.ZodError)
    return needing(format, [...new Set(read.issues.map(({ path }) => path.join('.')))], ', ')
  const given = read as Readonly<Record<string, unknown>>
  const { oneOf } = format
  if (oneOf.length > 0 && oneOf.every((name) => given[name] === undefined)) return needing(format, oneOf, ' or ')
  return format.check(given)
}

function needing({ type }: Format, options: readonly string[], word: string): string {
  return `needs ${options.join(word)}; write it as an object, {"type": "${type}", "${options[0]}": …}`
}

function givenOptions(format: Format, entry: string | RequestedPart, request: LooseRequest): object {
  const older = format.optionsUnder ? request[format.optionsUnder] : undefined
  const own = typeof entry === 'object' ? withoutType(entry) : format.aliases[entry]
  return { ...(older as object | undefined), ...(own as object | undefined) }
}

function isNotPdf(parser: unknown): boolean {
  return (parser as { type: string }).type !== 'pdf'
}

function withoutType(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type: _, ...rest } = options
  return rest
}
