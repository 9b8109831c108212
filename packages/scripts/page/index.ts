export { installInspector } from './inspector.ts'
export { installListeners } from './listeners.ts'
