// The public API of this entry point.
export { mcpHandler, serveMcpStdio, type McpOptions, type McpOverStdio } from './server.ts'
export type { ToolSetName } from './toolset.ts'
export type { Ask } from './web-api.ts'
