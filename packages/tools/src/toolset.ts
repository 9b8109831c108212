// Which tools there are, and how one is called: the same for every protocol and framework that offers them.
import { textOf, type Image } from './answer.ts'
import { parse } from './file-tools.ts'
import { featureTools } from './feature-tools.ts'
import { cancel, crawl, interact, interactStop, job, pages } from './job-tools.ts'
import { kindTools, servedOf } from './kind-tools.ts'
import { changes, find, map, read, search } from './page-tools.ts'
import { scrapeTool } from './scrape-tool.ts'
import { runScript, scripts } from './script-tools.ts'
import { failureText, type Abilities, type DescribedTool, type Tool, type ToolContext } from './tool.ts'
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
 * The tools that work with this server: those of this package, and those of its kinds of jobs, which replace ours of the same name.
 * All of them where the server does not describe its abilities.
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

/** The result of a call, as a model reads it. */
export interface ToolResult {
  /** The content, or what went wrong and what to do. */
  readonly text: string
  /** Screenshots. */
  readonly images: readonly Image[]
  readonly isError: boolean
}

/** Calls a tool. A failure is a result too: the model reads the remedy. */
export async function callTool(
  tool: Tool | DescribedTool,
  given: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const answer = await tool.run(given, context)
    return { text: textOf(answer), images: answer.flatMap(({ image }) => (image ? [image] : [])), isError: false }
  } catch (error) {
    return failed(failureText(error))
  }
}

/** A result that says what went wrong. */
export function failed(text: string): ToolResult {
  return { text, images: [], isError: true }
}
