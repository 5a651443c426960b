/** The part of React Native that the SDK uses. Apps provide the real one. */
declare module 'react-native' {
  export const Platform: {
    readonly OS: string
    readonly constants: {
      readonly Release?: string
      readonly Manufacturer?: string
      readonly Model?: string
      readonly systemName?: string
      readonly osVersion?: string
      readonly interfaceIdiom?: string
    }
  }
  export const AppState: {
    addEventListener(type: 'change', listener: (state: string) => void): { remove(): void }
  }
}
