import { z } from 'zod'

import { ours, textOf, truncateToBudget, type Answer, type Part } from './answer.ts'
import { tokensOf } from './budget.ts'
import { maxTokens, documentAnswer, pageUrl, type PageDocument } from './page-tools.ts'
import { defineTool, type AddedPart, type AddedParts, type Tool, type ToolContext } from './tool.ts'
import { loadWithUser, profileInput, withProfile } from './user-links.ts'

const ownFormats = ['markdown', 'links', 'summary', 'metadata', 'screenshot'] as const
const ownActions = 'wait, click, write, press, scroll, executeJavascript'
const maxActions = 50
const none: AddedParts = { formats: [], actions: [] }

type RequestedFormat = string | { readonly type: string }

/**
 * Returns the tool that reads a page, with the formats and actions that plugins of the server add. A call of it rejects with an
 * `ApiRefusal` if the page cannot be loaded.
 */
export function scrapeTool(added: AddedParts = none): Tool {
  return defineTool({
    name: 'scrape',
    title: 'Read a page',
    description:
      'Loads one web page and returns its content. Long pages come with an outline; read the rest with read. Price: 1 credit, 5 with a summary.',
    input: z.object({
      url: pageUrl,
      formats: formatsSchema(added.formats),
      ...(added.actions.length > 0 && { actions: actionsSchema(added.actions) }),
      onlyMainContent: z.boolean().default(true).describe('Without menus and footers.'),
      waitFor: z.int().min(0).max(60_000).optional().describe('Milliseconds for scripts; needs a browser.'),
      profile: profileInput,
      maxTokens,
    }),
    run: async ({ maxTokens, formats, profile, ...options }, context) => {
      const { api, signal } = context
      const requested: readonly RequestedFormat[] = formats
      const wanted = requested.map((format) => (format === 'screenshot' ? picture : format))
      const request = { ...options, ...withProfile(profile), formats: wanted }
      const load = () => api.post<{ data: PageDocument }>('/v2/scrape', request, signal)
      const { data } = await loadWithUser({ url: options.url, profile }, load, context)
      const names = requested.map((format) => (typeof format === 'string' ? format : format.type))
      const formatsOfPlugins = added.formats.filter(({ type }) => names.includes(type))
      const values = valuesOf(data, formatsOfPlugins, names.includes('markdown') ? maxTokens / 2 : maxTokens)
      const answer = documentAnswer(data, names, maxTokens - tokensOf(textOf(values)))
      const image = data.screenshot === undefined ? [] : [await pictureOf(data.screenshot, api, signal)]
      return [...answer, ...values, ...image]
    },
  })
}

function formatsSchema(added: AddedParts['formats']) {
  const says = 'What to return. screenshot needs a browser.'
  const names = [...ownFormats, ...added.map(({ type }) => type)]
  const withOptions = added.filter(({ options }) => namesOf(options).length > 0)
  const name = z.enum(names)
  const item =
    withOptions.length > 0
      ? z.union([name, z.looseObject({ type: z.enum(withOptions.map(({ type }) => type)) })])
      : name
  const more = withOptions.length > 0 ? ` Options, as {"type": …}: ${listOf(withOptions)}.` : ''
  return z
    .array(item)
    .max(names.length)
    .default(['markdown'])
    .describe(says + more)
}

function actionsSchema(added: readonly AddedPart[]) {
  return z
    .array(z.looseObject({ type: z.string() }))
    .max(maxActions)
    .optional()
    .describe(`Steps before the page is read, as {"type": …}. Of this server: ${listOf(added)}. Others: ${ownActions}.`)
}

/** Lists types with their options, such as `count (selector, limit?)`. */
function listOf(parts: readonly AddedPart[]): string {
  return parts
    .map(({ type, options }) => (namesOf(options).length > 0 ? `${type} (${namesOf(options).join(', ')})` : type))
    .join('; ')
}

function namesOf({ properties = {}, required = [] }: AddedPart['options']): readonly string[] {
  return Object.keys(properties as object)
    .filter((name) => name !== 'type')
    .map((name) => ((required as readonly string[]).includes(name) ? name : `${name}?`))
}

/** Returns the values of plugin formats and the results of actions. They share the token budget. */
function valuesOf(document: PageDocument, formats: AddedParts['formats'], maxTokens: number): Answer {
  const page = document.metadata.url ?? document.metadata.sourceURL ?? ''
  const values = new Map<string, unknown>(Object.entries(document))
  const shown = [...formats.map(({ as }) => as), 'actions'].filter((name) => values.get(name) !== undefined)
  return shown.flatMap((name) => {
    const value = values.get(name)
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
    return truncateToBudget(
      `${name}: ${text}`,
      page,
      Math.floor(maxTokens / shown.length),
      0,
      () => 'raise maxTokens to see more.',
    )
  })
}

/** MCP clients reject results above a megabyte; a JPEG of the viewport has about a tenth of that. */
const picture = { type: 'screenshot', quality: 70 } as const
const maxPictureLength = 700_000

async function pictureOf(address: string, api: ToolContext['api'], signal: AbortSignal): Promise<Part> {
  const { bytes, type } = await api.file(address, signal)
  if (bytes.length > maxPictureLength) return ours(`The screenshot is too large to show here. It is at ${address}`)
  return { text: '', image: { data: Buffer.from(bytes).toString('base64'), mimeType: type } }
}
