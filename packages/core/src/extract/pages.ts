// Which pages an extract reads.
import { EngineError } from '@harvestman/ports'
import { parseWebUrl } from '@harvestman/net/request'
import { searchPort } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { ExtractRequest } from '../schema/extract.ts'
import type { ExtractKit } from './kit.ts'

/** Pages that a search adds. */
const mostFound = 5

interface ExtractPages {
  readonly urls: readonly string[]
  readonly invalidURLs: readonly string[]
}

/** The pages that the addresses stand for, and those that a search for the prompt finds. */
export async function pagesFor(
  request: ExtractRequest,
  team: string,
  kit: Pick<ExtractKit, 'addresses' | 'search'>,
): Promise<ExtractPages> {
  const invalidURLs: string[] = []
  const urls = new Set<string>()
  for (const given of request.urls) {
    const isSite = given.endsWith('/*')
    const { text, problem } = parseWebUrl(isSite ? given.slice(0, -1) : given)
    if (text === undefined) {
      if (!request.ignoreInvalidURLs) throw new EngineError('invalid_request', `urls: ${given} ${problem}`)
      invalidURLs.push(given)
    } else if (isSite) {
      const found = await kit.addresses({ url: text, words: request.prompt, request }, team)
      for (const url of found.slice(0, request.limit)) urls.add(url)
    } else urls.add(text)
  }
  for (const url of await searched(request, team, kit)) urls.add(url)
  return { urls: [...urls], invalidURLs }
}

async function searched(
  { enableWebSearch, urls, prompt = '' }: ExtractRequest,
  team: string,
  { search }: Pick<ExtractKit, 'search'>,
): Promise<readonly string[]> {
  if (!enableWebSearch && urls.length > 0) return []
  if (search) return prompt === '' ? [] : search(prompt, mostFound, team)
  const because = urls.length > 0 ? 'The option enableWebSearch' : 'An extract without urls'
  throw missingPort(searchPort, because)
}

/** The same in the words of an agent, which stays with the addresses unless the web may be searched. */
export function agentRequestOf(request: ExtractRequest): object {
  const { urls, prompt = 'Find what the schema asks for.', schema, enableWebSearch, maxCredits, webhook } = request
  const begin = urls.map((url) => url.replace(/\*$/, ''))
  return {
    prompt,
    urls: begin,
    ...(schema && { schema }),
    strictConstrainToURLs: begin.length > 0 && !enableWebSearch,
    ...(maxCredits !== undefined && { maxCredits }),
    ...(webhook && { webhook }),
  }
}
