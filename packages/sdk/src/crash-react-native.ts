export { captureCrashes } from './crash/react-native-crashes.ts'
