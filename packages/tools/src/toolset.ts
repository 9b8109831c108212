// The list of tools and how to call one, for every protocol and framework.
import { textOf, type Image } from './answer.ts'
import { parse } from './file-tools.ts'
import { featureTools } from './feature-tools.ts'
import { cancel, crawl, interact, interactStop, job, pages } from './job-tools.ts'
import { kindTools, servedOf } from './kind-tools.ts'
import { changes, find, map, read, search } from './page-tools.ts'
import { retrievalTools } from './retrieval-tools.ts'
import { scrapeTool } from './scrape-tool.ts'
import { runScript, scripts } from './script-tools.ts'
import { failureText, type Abilities, type DescribedTool, type Tool, type ToolContext } from './tool.ts'
import { UserLink } from './user-links.ts'
import { verifyTool } from './verify-tool.ts'
import type { WebApi } from './web-api.ts'

const tools: readonly Tool[] = [
  read,
  find,
  map,
  crawl,
  job,
  pages,
  cancel,
  search,
  changes,
  parse,
  interact,
  interactStop,
  scripts,
  runScript,
]

/** A set of tools, and its description for models. */
interface ToolSet {
  readonly about: string
  toolsOf(api: WebApi, served: Served): Promise<readonly (Tool | DescribedTool)[]>
}

type Served = Awaited<ReturnType<typeof servedOf>>

const sets = {
  web: {
    about: 'Reads the web. scrape gives one page; map lists a site; crawl reads many pages.',
    toolsOf: async (api, { kinds, abilities }) => [
      ...[scrapeTool(abilities?.added), ...tools, ...kindTools(kinds)],
      ...(await featureTools(api)),
    ],
  },
  retrieval: {
    about:
      'search_pages searches the pages that were scraped before; read_chunk reads on. Cite the URLs of the passages.',
    toolsOf: async () => [...retrievalTools, verifyTool],
  },
} as const satisfies Readonly<Record<string, ToolSet>>

/** Name of a set of tools: `web` loads pages, `retrieval` searches scraped ones. */
export type ToolSetName = keyof typeof sets

/** The names of all sets of tools. */
// Cast: the keys of an object are strings for TypeScript.
export const toolSetNames = Object.keys(sets) as readonly ToolSetName[]

/** Returns whether there is a set of tools with this name. */
export function isToolSet(name: string): name is ToolSetName {
  return Object.hasOwn(sets, name)
}

/** Returns the description of these sets of tools for models. */
export function aboutSets(names: readonly ToolSetName[]): string {
  return names.map((name) => sets[name].about).join(' ')
}

/**
 * Returns the tools of these sets that work with this server: built-in tools, and tools of its job kinds and features, which
 * replace built-in ones of the same name. Returns all tools if the server does not describe its abilities.
 */
export async function toolsOf(
  api: WebApi,
  names: readonly ToolSetName[] = ['web'],
): Promise<readonly (Tool | DescribedTool)[]> {
  const served = await servedOf(api)
  const lists = await Promise.all(names.map((name) => sets[name].toolsOf(api, served)))
  const all = lists.flat().filter((tool) => works(tool, served.abilities))
  return [...new Map(all.map((tool) => [tool.name, tool])).values()]
}

const abilityNames = ['ports', 'endpoints', 'formats'] as const

function works({ needs = {} }: Pick<Tool, 'needs'>, abilities: Abilities | undefined): boolean {
  return (
    abilities === undefined ||
    abilityNames.every((name) => (needs[name] ?? []).every((need) => abilities[name].includes(need)))
  )
}

/** Result of a call, for a model. */
export interface ToolResult {
  /** The content, or the error and its remedy. */
  readonly text: string
  /** Screenshots. */
  readonly images: readonly Image[]
  readonly isError: boolean
}

/**
 * Calls a tool. An error becomes a result too, because the model should read the remedy. Rejects only with a `UserLink`, if the
 * context has `links`.
 */
export async function callTool(
  tool: Tool | DescribedTool,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const answer = await tool.run(input, context)
    return { text: textOf(answer), images: answer.flatMap(({ image }) => (image ? [image] : [])), isError: false }
  } catch (error) {
    if (error instanceof UserLink) throw error
    return failed(failureText(error))
  }
}

/** Returns a result with an error message. */
export function failed(text: string): ToolResult {
  return { text, images: [], isError: true }
}
