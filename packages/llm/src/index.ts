// The public names, one by one. What is not here is not public.
export { aiSdkLLM, type AiSdkModel } from './ai-sdk.ts'
export { chatLLM, type ChatOptions } from './chat/chat-llm.ts'
export type { Structure } from './chat/dialect.ts'
export type { Reason } from './faults.ts'
export { functionLLM, type FunctionAnswer, type FunctionOptions } from './function.ts'
