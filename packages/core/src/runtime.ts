// Only looks at what runs us, and says so where it is unfit: for programs that load the engine later, or never.
import './lib/node-version.ts'
