export { captureCrashes } from './crash/node-crashes.ts'
