import { serveMcpStdio } from '../src/mcp.ts'

serveMcpStdio({
  ask: (request) => fetch(request),
  url: process.env['MCP_URL'],
  key: process.env['MCP_KEY'],
  filesIn: process.env['MCP_FILES'],
})
