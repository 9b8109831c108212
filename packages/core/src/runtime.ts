// Checks the version of Node.js only, for apps that load the engine later or not at all.
import './lib/node-version.ts'
