# frozen_string_literal: true
require 'set'

module Sample
  class Tally < Struct.new(:words)
    LIMIT = 1_000
    attr_reader :seen

    def initialize(words, limit: LIMIT, **rest)
      super(words)
      @seen = Set.new
      @@count ||= 0
    end

    def each
      return enum_for(:each) unless block_given?
      words.each_with_index do |word, i|
        next if word =~ /^\s*#/ || i > LIMIT
        yield word, "#{i}: #{word}"
      end
    rescue ArgumentError => error
      warn error.message
    ensure
      @seen.clear
    end
  end
end

text = <<~TEXT
  one
  two
TEXT
puts Sample::Tally.new(text.split).map { |word, _| word.length }.sum, %w[a b], { a: 1, 'b' => 2.5 }
