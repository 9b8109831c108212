// The commands and tools of the vendor's programs beyond scrape, map, crawl, parse and search. Each call starts a program.
import type { House } from '../bench.ts'
import { must, until, type ClientCase } from './cases.ts'
import { callTool, cli, commandLine, mcp } from './others.ts'

type Methods = Readonly<Record<string, (house: House) => Promise<void>>>

const schema = { type: 'object', properties: { legs: { type: 'number' } } }

/** The first id in a text. */
function idIn(text: string): string {
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(text)?.[0]
  must(id, text)
  return id
}

function has(text: string, part: string | RegExp): void {
  must(typeof part === 'string' ? text.includes(part) : part.test(text), text)
}

/** Fails unless the command ends with an error that has these words. */
async function isRefused(work: Promise<string>, words: RegExp): Promise<void> {
  const told = await work.then(
    (text) => `done: ${text}`,
    (error: unknown) => String(error),
  )
  has(told, words)
}

const commands: Methods = {
  '--status, credit-usage, version': async (house) => {
    has(await cli(house, '--status'), /Concurrency:.* 0\/\d+/)
    must(JSON.parse(await cli(house, 'credit-usage', '--json')).success === true, 'credit-usage')
    has(await cli(house, 'version'), '1.23.3')
  },
  'crawl --status': async (house) => {
    const id = idIn(await cli(house, 'crawl', house.at('/crawl/'), '--limit', '2'))
    await until(
      () => cli(house, 'crawl', id, '--status'),
      (text) => text.includes('"status":"completed"'),
    )
  },
  'agent, agent --status, agent --cancel': async (house) => {
    const given = ['How?', '--urls', house.at('/good/article'), '--schema', JSON.stringify(schema)]
    const id = idIn(await cli(house, 'agent', ...given))
    await until(
      () => cli(house, 'agent', id, '--status', '--json'),
      (text) => /"status":"(?:completed|failed)"/.test(text),
    )
    await isRefused(cli(house, 'agent', id, '--cancel'), /already finished/)
  },
  'monitor create, list, get, update, run, checks, check, delete': async (house) => {
    const given = ['--name', 'Lamp', '--schedule', 'every 30 minutes', '--page', house.at('/good/article')]
    const id = idIn(await cli(house, 'monitor', 'create', '--goal', 'A new lamp', ...given))
    has(await cli(house, 'monitor', 'list'), id)
    has(await cli(house, 'monitor', 'get', id), '"cron":"*/30 * * * *"')
    has(await cli(house, 'monitor', 'update', id, '--name', 'Lamps'), '"name":"Lamps"')
    const check = idIn(await cli(house, 'monitor', 'run', id))
    has(await cli(house, 'monitor', 'checks', id), check)
    await until(
      () => cli(house, 'monitor', 'check', id, check),
      (text) => text.includes('"status":"completed"'),
    )
    has(await cli(house, 'monitor', 'delete', id), '"success":true')
  },
}

const refusedCommands: Methods = {
  'developer, research': async (house) => {
    await isRefused(cli(house, 'developer', 'queues'), /501/)
    await isRefused(cli(house, 'research', 'search-papers', 'x'), /501/)
    await isRefused(cli(house, 'research', 'inspect-paper', 'arxiv:1'), /501/)
    await isRefused(cli(house, 'research', 'related-papers', 'arxiv:1', '--intent', 'x'), /501/)
    await isRefused(cli(house, 'research', 'read-paper', 'arxiv:1', '--question', 'x'), /501/)
    await isRefused(cli(house, 'research', 'search-github', 'x'), /501/)
  },
}

const tools: Methods = {
  'firecrawl_agent, firecrawl_agent_status': async (house) => {
    const given = { prompt: 'How many legs?', urls: [house.at('/good/article')], schema }
    const id = idIn(await callTool(house, 'firecrawl_agent', given))
    await until(
      () => callTool(house, 'firecrawl_agent_status', { id }),
      (text) => /"status": "(?:completed|failed)"/.test(text),
    )
  },
  firecrawl_credit_usage: async (house) => {
    has(await callTool(house, 'firecrawl_credit_usage', {}), 'remainingCredits')
    has(await callTool(house, 'firecrawl_credit_usage', { view: 'historical' }), 'periods')
  },
  'firecrawl_monitor_create, _list, _get, _update, _run, _checks, _check, _delete': async (house) => {
    const call = (name: string, given: object) => callTool(house, `firecrawl_monitor_${name}`, given)
    const given = { page: house.at('/good/article'), goal: 'New', name: 'Lamp', scheduleText: 'every 30 minutes' }
    const id = idIn(await call('create', given))
    has(await call('list', {}), id)
    has(await call('get', { id }), '"name": "Lamp"')
    has(await call('update', { id, body: { name: 'Lamps' } }), '"name": "Lamps"')
    const checkId = idIn(await call('run', { id }))
    has(await call('checks', { id }), checkId)
    has(await call('check', { id, checkId }), checkId)
    has(await call('delete', { id }), '"success": true')
  },
}

const refusedTools: Methods = {
  'firecrawl_developer_search, firecrawl_research_…, firecrawl_find_tools': async (house) => {
    has(await callTool(house, 'firecrawl_developer_search', { query: 'queues' }), '501')
    has(await callTool(house, 'firecrawl_research_search_papers', { query: 'x' }), '501')
    has(await callTool(house, 'firecrawl_find_tools', { urls: ['https://example.com'] }), 'alexandria requests')
  },
}

const casesOf = (client: string, methods: Methods, refused?: ClientCase['refused']): ClientCase[] =>
  Object.entries(methods).map(([method, run]) => ({ client, method, refused, run }))

export const programCases: readonly ClientCase[] = [
  ...casesOf(commandLine, commands),
  ...casesOf(commandLine, refusedCommands, 'not offered'),
  ...casesOf(mcp, tools),
  ...casesOf(mcp, refusedTools, 'not offered'),
]
