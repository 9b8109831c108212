// The list of tools and how to call one, for every protocol and framework.
import { textOf, type Image } from './answer.ts'
import { parse } from './file-tools.ts'
import { featureTools } from './feature-tools.ts'
import { cancel, crawl, interact, interactStop, job, pages } from './job-tools.ts'
import { kindTools, servedOf } from './kind-tools.ts'
import { changes, find, map, read, search } from './page-tools.ts'
import { scrapeTool } from './scrape-tool.ts'
import { runScript, scripts } from './script-tools.ts'
import { failureText, type Abilities, type DescribedTool, type Tool, type ToolContext } from './tool.ts'
import { UserLink } from './user-links.ts'
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

/**
 * Returns the tools that work with this server: built-in tools, and tools of its job kinds and features, which replace built-in
 * ones of the same name. Returns all tools if the server does not describe its abilities.
 */
export async function toolsOf(api: WebApi): Promise<readonly (Tool | DescribedTool)[]> {
  const [{ kinds, abilities }, ofFeatures] = await Promise.all([servedOf(api), featureTools(api)])
  const all = [scrapeTool(abilities?.added), ...tools, ...kindTools(kinds), ...ofFeatures].filter((tool) =>
    works(tool, abilities),
  )
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
