export { boundsHere, type BoundsHere } from './here.ts'
export { localSandbox } from './sandbox.ts'
export { sandboxBounds, sandboxModes, type SandboxBound, type SandboxMode, type SandboxOptions } from './options.ts'
