export { localSandbox } from './sandbox.ts'
export { sandboxModes, type SandboxMode, type SandboxOptions } from './options.ts'
