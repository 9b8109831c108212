/** Settings with which one kind of client connects to this server. */
export interface Connection {
  readonly name: string
  /** Instructions for the settings. */
  readonly about: string
  readonly text: string
}

/** Placeholder of the key in the settings: the environment variable that contains it. */
const variable = 'HARVESTMAN_API_KEY'

/** Returns the settings for this server URL, by client. Without `needsKey` they contain no key. */
export function connectionsTo(server: string, needsKey: boolean): readonly Connection[] {
  const mcp = `${server}/mcp`
  return [
    {
      name: 'Claude Code',
      about: 'Run this once in a terminal.',
      text: needsKey
        ? `claude mcp add --transport http harvestman ${mcp} \\\n  --header "Authorization: Bearer $${variable}"`
        : `claude mcp add --transport http harvestman ${mcp}`,
    },
    {
      name: 'Claude Desktop',
      about: 'Add this to `claude_desktop_config.json` (Settings, Developer, Edit Config).',
      text: json({
        mcpServers: {
          harvestman: {
            command: 'npx',
            args: ['-y', '@harvestman/mcp', '--server', server],
            ...(needsKey && { env: { HARVESTMAN_SERVER_KEY: 'your key' } }),
          },
        },
      }),
    },
    {
      name: 'Cursor',
      about: 'Add this to `.cursor/mcp.json` of a project, or to `~/.cursor/mcp.json`.',
      text: json({ mcpServers: { harvestman: { url: mcp, ...headers(needsKey, `\${env:${variable}}`) } } }),
    },
    {
      name: 'VS Code',
      about: needsKey
        ? 'Add this to `.vscode/mcp.json`. VS Code asks for the key once.'
        : 'Add this to `.vscode/mcp.json`.',
      text: json({
        ...(needsKey && { inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }] }),
        servers: { harvestman: { type: 'http', url: mcp, ...headers(needsKey, '${input:key}') } },
      }),
    },
    {
      name: 'TypeScript',
      about: 'Install `@harvestman/client`.',
      text: lines(
        "import { createClient } from '@harvestman/client'",
        '',
        `const client = createClient({ url: '${server}'${needsKey ? `, key: process.env.${variable}` : ''} })`,
        "const { markdown } = await client.scrape({ url: 'https://example.com' })",
      ),
    },
    {
      name: 'Firecrawl SDK',
      about: 'The official clients work unchanged. Install `@mendable/firecrawl-js`, or `firecrawl-py` for Python.',
      text: lines(
        "import Firecrawl from '@mendable/firecrawl-js'",
        '',
        `const firecrawl = new Firecrawl({ apiUrl: '${server}', apiKey: ${needsKey ? `process.env.${variable}` : "'none'"} })`,
        "const { markdown } = await firecrawl.scrape('https://example.com')",
      ),
    },
    {
      name: 'Command line',
      about: 'The commands ask this server from then on.',
      text: lines(`npx @harvestman/cli login ${server}`, 'npx @harvestman/cli scrape https://example.com'),
    },
  ]
}

function headers(needsKey: boolean, key: string): { readonly headers?: { readonly Authorization: string } } {
  return needsKey ? { headers: { Authorization: `Bearer ${key}` } } : {}
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}

function lines(...all: readonly string[]): string {
  return all.join('\n')
}
