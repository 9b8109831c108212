export { offerModelContext } from './model-context.ts'
export { callDeclaredTool, listDeclaredTools } from './declared-tools.ts'
