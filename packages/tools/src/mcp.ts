// The public names, one by one. What is not here is not public.
export { mcpHandler, serveMcpStdio, type McpOptions, type McpOverStdio } from './server.ts'
export type { Ask } from './web-api.ts'
