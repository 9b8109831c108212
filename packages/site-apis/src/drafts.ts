// Drafts of a recipe's request, from the smallest to the most complete one.
import { hasEmbeddedSecret } from './embedded-secrets.ts'
import type { Exchange } from './exchanges.ts'
import type { Place, Recipe, RecipeRequest, Token } from './recipe.ts'
import { probableOrigin } from './redacted.ts'
import { valuesOf, withRequestValue } from './requests.ts'
import { isOpaque, isOpaqueHeader, isPasswordName, isSecretName } from './secret-values.ts'
import { decoded, isRedacted, originOf, splitHeader, type Origin, type OriginSources } from './tokens.ts'

/** The parts of a recipe that are tried. */
export type Draft = Pick<Recipe, 'request' | 'tokens' | 'parameters' | 'visitsPage'>

/** A recorded request, and where its tokens may come from. */
export interface DraftInput {
  readonly template: RecipeRequest
  /** Headers of the recorded request. */
  readonly headers: Exchange['headers']
  readonly sources: OriginSources
  /** URL of the page. A string, because a `URL` cannot be sent to a thread. */
  readonly url: string
}

/** Drafts, and the names of values without a known origin, which no draft contains. */
export interface Drafts {
  readonly drafts: readonly Draft[]
  readonly unknown: readonly string[]
}

// The transport and the browser set these.
const ofBrowser =
  /^(?:accept-(?:encoding|language)|cache-control|connection|content-(?:length|type)|cookie|dnt|host|pragma|priority|sec-.*|upgrade-insecure-requests|te)$/
const ofPage = new Set(['referer', 'origin', 'user-agent', 'accept'])
const maxTokens = 10
const maxHeaders = 20

/** Creates the drafts of a recorded request. Secrets are replaced by tokens with an origin, or omitted. */
export function draftsOf({ template, headers: recorded, sources, url }: DraftInput): Drafts {
  const tokens: Token[] = []
  const unknown: string[] = []
  const tokenFor = (label: string, value: string): string | undefined => {
    // Each search may read all responses.
    if (tokens.length >= maxTokens) return undefined
    const hasPlaceholder = isRedacted(value, sources.redacted)
    // The rest of a value that is secret in part is not known to be right.
    if (hasPlaceholder && value !== sources.redacted) return undefined
    const from: Origin | undefined = hasPlaceholder ? probableOrigin(label, sources) : originOf(value, sources)
    if (!from) return undefined
    const known = tokens.find((one) => JSON.stringify(one.from) === JSON.stringify(from))
    const name = known?.name ?? `token${tokens.length + 1}`
    if (!known) tokens.push({ name, from })
    return `{{${name}}}`
  }
  const { request: parametrised, parameters } = withParameters(template, new URL(url))
  let request = parametrised
  const known = valuesOfPage(new URL(url))
  for (const { at, value } of valuesOf(parametrised, Infinity)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const name = nameOf(at)
    const isSecret = isOpaque(value) || isNamedSecret(at, value) || isRedacted(value, sources.redacted)
    if (!isSecret && !(typeof value === 'string' && hasEmbeddedSecret(value, known))) continue
    const token = tokenFor(name, String(value))
    if (token === undefined) unknown.push(name)
    request = withRequestValue(request, at, token)
  }
  const plain: Record<string, string> = {}
  const secret: Record<string, string> = {}
  const context: Record<string, string> = {}
  for (const [name, value] of [...recorded].slice(0, 60)) {
    if (ofBrowser.test(name) || Object.keys(plain).length >= maxHeaders) continue
    if (ofPage.has(name)) {
      if (name !== 'referer' && !isRedacted(value, sources.redacted)) context[name] = value
    } else if (isSecretName(name) || isOpaqueHeader(value) || isRedacted(value, sources.redacted)) {
      const isBearer = name === 'authorization' && value === sources.redacted
      const [scheme, own] = isBearer ? ['Bearer ', value] : splitHeader(value)
      const token = tokenFor(name, own)
      if (token === undefined) unknown.push(name)
      else secret[name] = `${scheme}${token}`
    } else plain[name] = value
  }
  const visits = (one: Omit<Draft, 'visitsPage'>): boolean => one.tokens.some(({ from }) => from.in !== 'response')
  const draft = (headers: Readonly<Record<string, string>>, isComplete = false): Draft => {
    const own = { ...request, headers: { ...headers } }
    const text = JSON.stringify(own)
    const used = { request: own, parameters, tokens: tokens.filter(({ name }) => text.includes(`{{${name}}}`)) }
    return { ...used, visitsPage: isComplete || visits(used) }
  }
  const drafts = [draft({}), draft({ ...plain, ...secret }), draft({ ...context, ...plain, ...secret }, true)]
  return {
    drafts: drafts.filter((one, at) => at === 2 || at === 0 || Object.keys(one.request.headers).length > 0),
    unknown,
  }
}

const valuesOfPage = ({ pathname, searchParams }: URL): ReadonlySet<string> =>
  new Set([...pathname.split('/').map(decoded), ...searchParams.values()])

/** Returns the name of a value. Items of a list have the name of the list. */
const nameOf = ({ path }: Place): string => path.findLast((part) => !/^\d+$/.test(part)) ?? ''

/** Returns whether a value, or an object that contains it, has the name of a secret, such as `credentials`. */
function isNamedSecret(at: Place, value: string | number): boolean {
  if (at.path.some(isPasswordName)) return typeof value === 'number' || (value !== '' && !value.includes('{{'))
  return typeof value === 'string' && value !== '' && isSecretName(nameOf(at)) && !value.includes('{{')
}

// Shorter values of other names may be equal by chance, such as `sort=name` and `fields=name`.
const minValue = 6

/** Returns whether a value of a request is a query parameter of the page: both have the same name, or a long value. */
export function isSameValue(
  own: { readonly name: string; readonly value: string },
  parameter: { readonly name: string; readonly value: string },
): boolean {
  const { name, value } = parameter
  return own.value === value && value !== '' && (own.name === name || value.length >= minValue)
}

/** Replaces values that are query parameters of the page. */
function withParameters(template: RecipeRequest, url: URL) {
  const parameters: string[] = []
  let request = template
  for (const [name, value] of [...url.searchParams].slice(0, 20)) {
    if (!/^[a-z0-9]{1,100}$/i.test(name)) continue
    for (const { at, value: own } of valuesOf(template)) {
      if (typeof own !== 'string' || !isSameValue({ name: at.path.at(-1) ?? '', value: own }, { name, value })) continue
      request = withRequestValue(request, at, `{{page.${name}}}`)
      if (!parameters.includes(name)) parameters.push(name)
    }
  }
  return { request, parameters }
}
