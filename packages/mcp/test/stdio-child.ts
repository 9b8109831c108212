import { serveMcpStdio } from '../src/index.ts'

serveMcpStdio({
  ask: (request) => fetch(request),
  url: process.env['MCP_URL'],
  key: process.env['MCP_KEY'],
  filesIn: process.env['MCP_FILES'],
})
