// Public exports, listed by name. Everything else is internal.
export { aiSdkLLM, type AiSdkModel } from './ai-sdk.ts'
export { chatLLM, type ChatOptions } from './chat/chat-llm.ts'
export type { Structure } from './chat/dialect.ts'
export type { Reason } from './faults.ts'
export { functionLLM, type FunctionAnswer, type FunctionOptions } from './function.ts'
